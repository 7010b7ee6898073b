import { AMENDMENTS } from './amendments';
import { CAUSES, type CauseId, paramsOf } from './causes';
import { CHARTER_OPERATION_IDS, type CharterOperation } from './charters';

type Place = { readonly method: string; readonly path: string };

/** The operations by which a person requests a signature under a charter. */
export const CHARTER_CAUSES = [
  'transferAsset',
  'broadcastTransaction',
  'walletsGenerateSignature',
  'keysGenerateSignature',
] as const satisfies readonly (CauseId & CharterOperation)[];

/** The requests that a charter can allow, except decisions on approvals. */
export type CharterRequestKind = Exclude<CharterOperation, 'createApprovalDecision'>;

const post = (cause: CauseId): Place => ({ method: 'POST', path: CAUSES[cause].path });

const PLACES: { readonly [K in CharterRequestKind]: Place } = {
  transferAsset: post('transferAsset'),
  broadcastTransaction: post('broadcastTransaction'),
  walletsGenerateSignature: post('walletsGenerateSignature'),
  keysGenerateSignature: post('keysGenerateSignature'),
  releaseFreeze: { method: 'DELETE', path: '/freezes/:freezeId' },
  exportKey: post('exportKey'),
  exportWallet: post('exportWallet'),
  deriveKey: post('deriveKey'),
  createWallet: AMENDMENTS.createWallet,
  tagWallet: AMENDMENTS.tagWallet,
  untagWallet: AMENDMENTS.untagWallet,
  createPolicy: AMENDMENTS.createPolicy,
  updatePolicy: AMENDMENTS.updatePolicy,
  archivePolicy: AMENDMENTS.archivePolicy,
  deactivateUser: AMENDMENTS.deactivateUser,
  archiveUser: AMENDMENTS.archiveUser,
  deactivateServiceAccount: AMENDMENTS.deactivateServiceAccount,
  archiveServiceAccount: AMENDMENTS.archiveServiceAccount,
};

export type CharterRequest = { readonly kind: CharterRequestKind; readonly params: Readonly<Record<string, string>> };

/** The request with this method and path. Undefined for a decision on approvals, and for a request that no charter can allow. */
export function charterRequestAt({ method, path }: Place): CharterRequest | undefined {
  for (const kind of CHARTER_OPERATION_IDS) {
    if (kind === 'createApprovalDecision' || PLACES[kind].method !== method) continue;
    const params = paramsOf(PLACES[kind].path, path);
    if (params) return { kind, params };
  }
  return undefined;
}
