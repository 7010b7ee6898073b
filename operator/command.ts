import type { Client } from '@temporalio/client';
import { z } from 'zod';
import type { Database } from '../entities/database';
import type { CodeDigest } from '../platform/one-time-codes';
import type { SecretBox } from '../platform/secret-box';

export type OperatorServices = {
  readonly db: Database;
  readonly codeDigest: CodeDigest;
  /** Seals mails until the worker sends them. */
  readonly mailContents: SecretBox;
  /** Connects on the first call, because most commands do not need Temporal. */
  readonly temporal: () => Client;
};

export type Command<O extends z.ZodRawShape = z.ZodRawShape> = {
  readonly usage: string;
  readonly options: z.ZodObject<O>;
  /** Returns the lines to print. */
  run(services: OperatorServices, options: z.output<z.ZodObject<O>>): Promise<readonly string[]>;
};

export const command = <O extends z.ZodRawShape>(spec: Command<O>): Command<O> => spec;

export const RecordId = z.string().min(1).max(64);

/** A command that does not need a running service, and reads its own variables. */
export type OfflineCommand<O extends z.ZodRawShape = z.ZodRawShape> = Pick<Command<O>, 'usage' | 'options'> & {
  readonly isOffline: true;
  run(options: z.output<z.ZodObject<O>>): Promise<readonly string[]>;
};

export const offlineCommand = <O extends z.ZodRawShape>(spec: Omit<OfflineCommand<O>, 'isOffline'>): OfflineCommand<O> => ({
  ...spec,
  isOffline: true,
});
