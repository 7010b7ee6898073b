import type { AmendmentKind } from '../../../domain/amendments';
import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import type { AmendCharterOrder } from '../../charters/amend-charter-order';
import type { CharterInForce } from '../../charters/charter-in-force';
import { heldAuthority } from '../../charters/held-authority';
import type { CredentialRemoval } from '../../record/holders/credential-removals';
import type { HolderCredentials } from '../../record/holders/holder-credentials';
import { Refusal } from '../../wire/refusal';
import { assertNotOlder, type Judging } from '../people/action-age';
import { type ActionEvidence, initiatingActionOf } from '../people/signed-action';
import { amendmentParams } from './judge-amendment';
import { removedCredentialIn } from './members';

type Order = Pick<AmendCharterOrder, 'amendment' | 'evidence'>;
type Holders = Pick<HolderCredentials, 'known' | 'effectOf'>;
type Judged = { readonly userId: string; readonly action: string; readonly removal: CredentialRemoval | undefined };

type RemovalKind = Parameters<typeof removedCredentialIn>[0];
const isRemoval = (kind: AmendmentKind): kind is RemovalKind => kind === 'deactivateCredential' || kind === 'deleteCredential';

/**
 * Judges an order by which an end user removes one of the user's own credentials. Returns undefined for every other order.
 * `removal` is undefined if the credential is not accepted for any key. Throws a `Refusal` unless a credential of the user signed
 * exactly this removal. Both credentials must be accepted for the same key. The hourly limit does not apply, because each
 * credential can be removed only once.
 */
export function judgeHeldRemoval(
  charter: CharterInForce,
  { amendment: { kind }, evidence }: Order,
  holders: Holders,
  judging: Judging,
): Judged | undefined {
  const userId = evidence.find((one): one is ActionEvidence => one.kind === 'Initiator')?.userId;
  if (!isRemoval(kind) || userId === undefined || charter.member(userId)) return undefined;
  const user = { orgId: charter.content.organizationId, userId };
  const credentials = holders.known(user);
  if (credentials.length === 0) return undefined;
  const action = initiatingActionOf(anyAuthority(charter, { userId, credentials }), evidence, judging);
  assertNotOlder(action, ACTION_AGE_MS_MAX.unapproved, judging);
  const credentialId = removedCredentialIn(kind, action, amendmentParams(kind, action));
  const removals = action.signedWith.map(({ id, publicKey }) => ({ credentialId, by: { id, publicKey } }));
  const effects = removals.map((removal) => holders.effectOf(user, [removal]));
  const judged = { userId, action: action.digest };
  if (effects.includes('Absent')) return { ...judged, removal: undefined };
  const removal = removals[effects.indexOf('Removed')];
  if (!removal) throw new Refusal('CredentialKept');
  return { ...judged, removal };
}

/**
 * The removal must succeed even under a charter that does not serve end users. Otherwise the credential would be accepted again
 * under a later charter that serves them.
 */
const anyAuthority = ({ digest, content, ...charter }: CharterInForce, holder: Parameters<typeof heldAuthority>[1]) =>
  heldAuthority({ ...charter, digest, content: { ...content, endUsers: content.endUsers ?? { networks: 'Test' } } }, holder, []);
