import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../../platform/logger';
import { errorCode } from '../../error-code';
import { SMALL_FILES } from '../../replica/messages';
import { StartError } from '../../start-error';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { Mirror } from '../journal/journal';
import type { Position } from '../journal/sealed-store';
import { hasPlace, sendBehind } from './own-journal';
import { openReplicaSession, type ReplicaAddress, ReplicaRefused, type ReplicaSession } from './replica-session';

const RETRY_MS = 200;
/**
 * An entry waits this long for its acknowledgement, and then the connection ends. Orders wait this long for the next connection.
 */
const PATIENCE_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
/** A replica that rejoins first saves a copy of the lines that it will drop, and this takes time. */
const BEGIN_MS = 60_000;

type Wanted = { readonly end: Position; readonly resolve: () => void; readonly reject: (error: Error) => void };
type Parts = {
  readonly stateDir: string;
  readonly address: ReplicaAddress;
  readonly logger: Logger;
  /**
   * Called at most once, for one of three causes: another signer has begun, the replica contains different lines, or a file in
   * this folder was altered.
   */
  readonly onLost: (cause: Error) => void;
};
type Beginning = { readonly journalId: string; readonly sealKey: Buffer; readonly epoch: number };

const textIn = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** True if no later attempt can succeed. `Medium` is a fault of the replica that an operator can mend while this signer waits. */
const isFinal = (error: unknown) => error instanceof StartError || (error instanceof ReplicaRefused && error.reason !== 'Medium');

/**
 * The connection to the replica. After a loss, the link connects again, and reads the lines that the replica lacks from the state
 * folder. Each batch is written to the state folder before `put` is called.
 */
export class ReplicaLink implements Mirror {
  private readonly run = randomUUID();
  private session: ReplicaSession | undefined;
  private wanted: Wanted | undefined;
  /** The hash of the last line that the replica has acknowledged. */
  private acknowledged = '';
  private readonly sentFiles = new Map<string, string | undefined>();
  private readonly leaving = new Set<() => void>();
  private patience: NodeJS.Timeout | undefined;
  private isAway = false;
  private fault: unknown;
  private isClosed = false;

  constructor(private readonly parts: Parts) {}

  /** False while orders are refused, because the replica has not acknowledged for a while. */
  get isHere(): boolean {
    return !this.isAway;
  }

  /** Resolves once the replica has everything that the folder has. Throws if the first attempt fails. */
  async start(beginning: Beginning): Promise<void> {
    try {
      await this.connect(beginning);
    } catch (error) {
      throw error instanceof StartError ? error : new StartError(`SIGNER_REPLICA: ${(error as Error).message}`, { cause: error });
    }
    void this.keepUp(beginning);
  }

  put(text: string, end: Position): Promise<void> {
    // A connection that was opened between the write and this call has already sent the batch from the file.
    if (this.session && this.acknowledged === end.last) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.wanted = { end, resolve, reject };
      if (this.session) void this.send(this.session, this.wanted, Buffer.from(text));
    });
  }

  /**
   * Carries the order out. Throws the refusal `ReplicaAway` while the replica is away, and also if it goes away during the order.
   */
  whileHere<R>(carryOut: () => Promise<R>): Promise<R> {
    return new Promise((resolve, reject) => {
      refuseUnless(!this.isAway, 'ReplicaAway');
      const leave = () => reject(new Refusal('ReplicaAway'));
      this.leaving.add(leave);
      void carryOut()
        .then(resolve, reject)
        .finally(() => this.leaving.delete(leave));
    });
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.patience);
    this.session?.end();
  }

  private async send(session: ReplicaSession, wanted: Wanted, bytes: Buffer): Promise<void> {
    const { segment, offsetBytes } = wanted.end;
    try {
      await session.put({ segment, offsetBytes: offsetBytes - bytes.length }, bytes, PATIENCE_MS);
      this.acknowledged = wanted.end.last;
      this.settle(wanted);
    } catch (error) {
      if (isFinal(error)) this.lose(error as Error);
      // The next connection sends the batch again, from the file.
      session.end();
    }
  }

  private settle(wanted: Wanted): void {
    if (this.wanted === wanted) this.wanted = undefined;
    wanted.resolve();
  }

  private async connect({ journalId, sealKey, epoch }: Beginning): Promise<void> {
    const { stateDir, address } = this.parts;
    const session = openReplicaSession(address);
    try {
      const { ends } = await session.join();
      let at: Position | undefined;
      for (const place of ends) if (!at && (await hasPlace(stateDir, sealKey, place))) at = place;
      if (!at) throw new StartError(`the replica has lines that ${stateDir} lacks`);
      await session.ask({ op: 'Begin', journalId, epoch, run: this.run, at }, undefined, BEGIN_MS);
      this.sentFiles.clear();
      await this.sendFiles(session);
      let sent = await sendBehind(stateDir, sealKey, session, at);
      while (this.wanted && this.wanted.end.last !== sent.last) sent = await sendBehind(stateDir, sealKey, session, sent);
      this.acknowledged = sent.last;
      this.session = session;
      if (this.wanted) this.settle(this.wanted);
    } catch (error) {
      session.end();
      throw error;
    }
  }

  /** Sends each small file that has changed, because the operator may freeze or release a running signer. */
  private async sendFiles(session: ReplicaSession): Promise<void> {
    for (const name of SMALL_FILES) {
      const text = textIn(join(this.parts.stateDir, name));
      if (this.sentFiles.has(name) && this.sentFiles.get(name) === text) continue;
      await session.ask({ op: 'File', name, isGone: text === undefined }, text === undefined ? undefined : Buffer.from(text));
      this.sentFiles.set(name, text);
    }
  }

  private async keepUp(beginning: Beginning): Promise<void> {
    while (!this.isClosed) {
      try {
        if (!this.session) await this.connect(beginning);
        this.arrived();
        if (this.session) await this.watch(this.session);
      } catch (error) {
        if (isFinal(error)) return this.lose(error as Error);
        this.fault = error;
      }
      this.session = undefined;
      this.missed();
      await delay(RETRY_MS, undefined, { ref: false });
    }
  }

  /** Resolves when the connection has ended. */
  private async watch(session: ReplicaSession): Promise<void> {
    const look = setInterval(() => {
      this.sendFiles(session).catch(() => session.end());
    }, LOOK_EVERY_MS);
    try {
      await session.closed;
    } finally {
      clearInterval(look);
    }
  }

  private arrived(): void {
    clearTimeout(this.patience);
    this.patience = undefined;
    if (this.isAway) this.parts.logger.warn('the replica is back: orders are carried out again');
    this.isAway = false;
  }

  private missed(): void {
    if (this.isAway || this.isClosed) return;
    this.patience ??= setTimeout(() => {
      this.isAway = true;
      this.parts.logger.error({ err: this.fault }, 'the replica is away: every order is refused until it is back');
      for (const leave of this.leaving) leave();
    }, PATIENCE_MS);
  }

  private lose(cause: Error): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.parts.onLost(cause);
    this.wanted?.reject(cause);
  }
}
