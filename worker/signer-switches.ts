import type { SignerSwitchWriter } from '../entities/deployment/signer-switch.store';
import type { Logger } from '../platform/logger';
import type { SignerClient } from '../signer/protocol';
import { repeat } from './repeat';

const CHECK_MS = 30_000;

type Options = {
  readonly signer: Pick<SignerClient, 'switches'>;
  readonly writer: Pick<SignerSwitchWriter, 'write'>;
  readonly logger: Logger;
  readonly checkMs?: number;
};

/**
 * Records the switches that the signer reports, because the API cannot query the signer. The row only lets the API refuse
 * callers earlier; the signer decides by its own configuration. Returns a function that stops the updates.
 */
export async function publishSwitches({ signer, writer, logger, checkMs = CHECK_MS }: Options): Promise<() => Promise<void>> {
  const publish = async (): Promise<void> => {
    try {
      await writer.write((await signer.switches()).on);
    } catch (error) {
      logger.warn({ err: error }, 'the switches of the signer could not be read: the last recorded ones stay in effect');
    }
  };
  await publish();
  return repeat({ everyMs: checkMs, work: publish });
}
