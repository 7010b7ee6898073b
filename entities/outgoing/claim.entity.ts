import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { NetworkName } from '../../domain/networks';

/**
 * A claim reserves a resource of one of these kinds, which only one transaction can use up. `keyed-nonce` is a nonce under a
 * nonce key, and `utxo` is a coin. `operation` is the nonce of an ERC-4337 operation.
 */
export type ClaimKind = 'nonce' | 'keyed-nonce' | 'utxo' | 'durable-nonce' | 'operation';

/**
 * `UNIQUE (network, kind, key)` in `migrations/foundation.sql.ts` prevents a second claim on the same resource. The constraint
 * omits `org_id`, because two organisations with the same imported key compete for the same nonce.
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

  /** Null for all kinds except `nonce`. */
  @Column('integer', { name: 'value', nullable: true })
  readonly value!: number | null;

  /** Null if a signature has the claim. */
  @Column('text', { name: 'transfer_id', nullable: true })
  readonly transferId!: string | null;

  @Column('text', { name: 'signature_id', nullable: true })
  readonly signatureId!: string | null;

  @Column('text', { name: 'state' })
  readonly state!: 'Signing' | 'Consumed';

  /**
   * A left coin: the coin is unspent, and the signed transaction that had claimed the coin can never confirm. The state of the
   * claim is then `Consumed`.
   */
  @Column('boolean', { name: 'is_left' })
  readonly isLeft!: boolean;

  /**
   * The request from which this claim took over a left coin. The signing log still has that request's signature over the coin.
   */
  @Column('text', { name: 'after_id', nullable: true })
  readonly afterId!: string | null;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
