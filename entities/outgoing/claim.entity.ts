import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

/**
 * The kinds of things that two live transactions must not share: a nonce of an account, a nonce that it counts separately for a key, a coin, the
 * value of a durable nonce, the nonce of an operation.
 */
export type ClaimKind = 'nonce' | 'keyed-nonce' | 'utxo' | 'durable-nonce' | 'operation';

/**
 * A thing that a transaction uses up, held for one transfer or one signature. `UNIQUE (network, kind, key)` in `migrations/foundation.sql.ts` keeps
 * a second row away. The constraint has no `org_id` on purpose: two organisations with the same imported key compete for the same nonce.
 */
@Entity('claims')
export class ClaimEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'network' })
  readonly network!: NetworkName;

  @Column('text', { name: 'kind' })
  readonly kind!: ClaimKind;

  @Column('text', { name: 'key' })
  readonly key!: string;

  @Column('text', { name: 'lane' })
  readonly lane!: string;

  /** A nonce; null for a claim that is not counted. */
  @Column('integer', { name: 'value', nullable: true })
  readonly value!: number | null;

  /** The owner of the claim: a transfer or a signature, never both. */
  @Column('text', { name: 'transfer_id', nullable: true })
  readonly transferId!: string | null;

  @Column('text', { name: 'signature_id', nullable: true })
  readonly signatureId!: string | null;

  @Column('text', { name: 'state' })
  readonly state!: 'Signing' | 'Consumed';

  /** Marks a coin that is unspent although its signed transaction can never get into a block. Such a claim is consumed. */
  @Column('boolean', { name: 'is_left' })
  readonly isLeft!: boolean;

  /** The request that left this coin; the signing log keeps its signature over it. */
  @Column('text', { name: 'after_id', nullable: true })
  readonly afterId!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
