import { newId } from '../../platform/ids';
import { isRestrictionSignedBy, type SignedRestriction } from '../../signer/charters/restriction';
import { restrict, restrictionBy } from '../restricting';
import type { Attack, Attempt, Scene } from './attack';

/** Files that no member signed, or that count for nothing. The operator's command would hand them over as here. */
const FILES: readonly ((scene: Scene) => SignedRestriction | undefined)[] = [
  // Altered: other removals under a signature that counted.
  (scene) => altered(scene, (restriction) => ({ ...restriction, removes: [{ userId: scene.organization.people.ben.userId }] })),
  (scene) => altered(scene, (restriction) => ({ ...restriction, dateIssued: new Date(0).toISOString() })),
  (scene) => altered(scene, (restriction) => ({ ...restriction, charter: inForce(scene) })),
  // Unsigned, and with a signature of the person over something else.
  (scene) => ({ ...wanted(scene), signature: Buffer.alloc(64).toString('base64') }),
  (scene) => ({ ...wanted(scene), signature: scene.organization.restrictions?.last.signature ?? '' }),
  (scene) => ({ ...wanted(scene), signature: scene.organization.charter.signature }),
  // Without the purpose in front of the text.
  (scene) => {
    const signed = wanted(scene);
    return { ...signed, signature: scene.organization.people.ada.signText(Buffer.from(signed.restriction)) };
  },
  // Signed by keys of others: a stranger, a stranger in the name of a member, members without the right, a passkey.
  (scene) => wanted(scene, scene.organization.people.stranger),
  (scene) => wanted(scene, { ...scene.organization.people.ada, signText: scene.organization.people.stranger.signText }),
  (scene) => wanted(scene, scene.organization.people.eve),
  (scene) => wanted(scene, scene.organization.people.ben),
  (scene) => wanted(scene, { ...scene.organization.people.eve, credential: scene.organization.people.ada.credential }),
  // A credential of an end user: by a member without the right, and one that counts for no key.
  (scene) => wanted(scene, scene.organization.people.eve, { removes: [ofEndUser(scene, 'spare')] }),
  (scene) => wanted(scene, scene.organization.people.ada, { removes: [ofEndUser(scene, 'former')] }),
  // A member who left.
  (scene) => {
    const [left] = scene.organization.people.leavers;
    return left && wanted(scene, left);
  },
  // Of an earlier charter, of another organisation, of another signer, and of what is not in the charter.
  (scene) => scene.organization.restrictions?.kept,
  (scene) => wanted(scene, scene.organization.people.ada, { organizationId: newId('organization') }),
  (scene) => wanted(scene, scene.organization.people.ada, { signerId: newId('signer') }),
  (scene) => wanted(scene, scene.organization.people.ada, { charter: '0'.repeat(64) }),
  (scene) => wanted(scene, scene.organization.people.ada, { removes: [{ userId: newId('user') }] }),
  // Again, which changes nothing.
  (scene) => scene.organization.restrictions?.taken,
];

function ofEndUser({ organization: { people } }: Scene, name: 'spare' | 'former') {
  const { userId, credential } = people[name];
  return { userId, credentialId: credential.id };
}

const inForce = ({ organization }: Scene): string => organization.restrictions?.inForce ?? '';

/** A restriction of the charter in force that would remove a voter. */
function wanted(scene: Scene, by = scene.organization.people.ada, more: Partial<Parameters<typeof restrictionBy>[1]> = {}) {
  const { orgId, signerId, people } = scene.organization;
  const removes = [{ userId: scene.random.oneOf([people.cyd, people.dan]).userId }];
  return restrictionBy(by, { ...{ signerId, organizationId: orgId, charter: inForce(scene), removes }, ...more });
}

type Content = Readonly<Record<string, unknown>>;
function altered({ organization }: Scene, change: (restriction: Content) => Content): SignedRestriction | undefined {
  const { taken } = organization.restrictions ?? {};
  return taken && { ...taken, restriction: JSON.stringify(change(JSON.parse(taken.restriction) as Content)) };
}

/** Whether the same text is in force already, so that the signer answers it again without effect. */
const isTaken = ({ organization: { people, restrictions } }: Scene, signed: SignedRestriction): boolean =>
  signed.restriction === restrictions?.taken.restriction && isRestrictionSignedBy(people.ada.credential.publicKey, signed);

function restriction(scene: Scene): Attempt | undefined {
  const signed = scene.organization.restrictions && scene.random.oneOf(FILES)(scene);
  if (!signed) return undefined;
  return {
    act: async () => {
      const outcome = await restrict(scene.stateDir, signed);
      if (outcome === 'Adopted' && !isTaken(scene, signed)) return { kind: 'Accepted', result: {} };
      return { kind: 'Refused', reason: outcome === 'Adopted' ? 'in force already' : outcome };
    },
  };
}

/** Nothing but what a member signed against the charter in force takes anything out of it. */
export const RESTRICTION_ATTACKS: readonly Attack[] = [{ kind: 'restriction of the attacker', weight: 0.3, make: restriction }];
