import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who decrypted or encrypted Temporal's payloads through the codec, and when. */
@Entity('payload_readings')
export class PayloadReadingEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'token_id' })
  readonly tokenId!: string;

  /** Temporal's namespace. */
  @Column('text', { name: 'namespace' })
  readonly namespace!: string;

  @Column('text', { name: 'operation' })
  readonly operation!: 'decode' | 'encode';

  @Column('integer', { name: 'payloads' })
  readonly payloads!: number;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;
}
