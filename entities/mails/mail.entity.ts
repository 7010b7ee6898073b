import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { MailStatus, MailTemplate } from '../../domain/mails';

@Entity('mails')
export class MailEntity {
  @PrimaryColumn('text', { name: 'org_id' })
  readonly orgId!: string;

  @PrimaryColumn('text', { name: 'id' })
  readonly id!: string;

  @Column('text', { name: 'user_id' })
  readonly userId!: string;

  @Column('text', { name: 'template' })
  readonly template!: MailTemplate;

  /** Null once the mail has ended. */
  @Column('text', { name: 'sealed_content', nullable: true })
  readonly sealedContent!: string | null;

  @Column('text', { name: 'status' })
  readonly status!: MailStatus;

  @Column('timestamptz', { name: 'date_created' })
  readonly dateCreated!: Date;

  /** From this date on, the mail is useless to its reader. */
  @Column('timestamptz', { name: 'date_expires' })
  readonly dateExpires!: Date;

  @Column('timestamptz', { name: 'date_ended', nullable: true })
  readonly dateEnded!: Date | null;
}
