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
 * Writes down what the signer says of its switches, at the start and again and again, because the API cannot ask the signer itself. It only spares
 * callers a wait: the signer refuses by its own configuration, whatever the row says. Returns how to leave off.
 */
export async function publishSwitches({ signer, writer, logger, checkMs = CHECK_MS }: Options): Promise<() => Promise<void>> {
  const publish = async (): Promise<void> => {
    try {
      await writer.write((await signer.switches()).on);
    } catch (error) {
      logger.warn({ err: error }, 'what the signer has switched on is not known: what was last written down stands');
    }
  };
  await publish();
  return repeat({ everyMs: checkMs, work: publish });
}
