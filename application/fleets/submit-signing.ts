import { AppError } from '../../domain/errors';
import type { CeremonyKind, FleetKind } from '../../domain/fleets';
import type { SignOutputJson } from '../../platform/fleets/outputs';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { type SubmittedOutput, submitOutput } from './submit-output';

type SignedOutput = SubmittedOutput & { readonly outputJson: SignOutputJson };

type UseKind = Exclude<FleetKind, CeremonyKind>;

/**
 * Stores the output of a device that was asked to use keys, and waits until the worker has verified and recorded it. Returns
 * `partial` if a request is left without its signatures. Throws `NothingSigned` for a verified output without a signature: the
 * group has ended, and its requests wait for another. Throws the errors of `submitOutput`.
 */
export async function submitSigning(
  services: Services,
  authority: Authority,
  storeId: string,
  kind: UseKind,
  output: SignedOutput,
): Promise<'success' | 'partial'> {
  await submitOutput(services, authority, storeId, kind, output);
  const { status, group_id: groupId } = output.outputJson;
  if (status !== 'fail') return status;
  throw new AppError('NothingSigned', 'The device has signed none of the requests, and the group has ended', { groupId });
}
