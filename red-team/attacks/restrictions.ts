import { newId } from '../../platform/ids';
import { isRestrictionSignedBy, type SignedRestriction } from '../../signer/charters/restriction';
import { restrict, restrictionBy } from '../restricting';
import type { Attack, Attempt, Scene } from './attack';

/**
 * Restrictions that no member signed, or that must not have an effect. Each is put into the signer's folder, as the operator's
 * command does.
 */
const FILES: readonly ((scene: Scene) => SignedRestriction | undefined)[] = [
  // Altered restrictions: changed content under a genuine signature.
  (scene) => altered(scene, (restriction) => ({ ...restriction, removes: [{ userId: scene.organization.people.ben.userId }] })),
  (scene) => altered(scene, (restriction) => ({ ...restriction, dateIssued: new Date(0).toISOString() })),
  (scene) => altered(scene, (restriction) => ({ ...restriction, charter: inForce(scene) })),
  // Without a signature, and with the person's signature over a different text.
  (scene) => ({ ...wanted(scene), signature: Buffer.alloc(64).toString('base64') }),
  (scene) => ({ ...wanted(scene), signature: scene.organization.restrictions?.last.signature ?? '' }),
  (scene) => ({ ...wanted(scene), signature: scene.organization.charter.signature }),
  // A signature over the text without the prefix that states the purpose.
  (scene) => {
    const signed = wanted(scene);
    return { ...signed, signature: scene.organization.people.ada.signText(Buffer.from(signed.restriction)) };
  },
  // Signed by a stranger, by a stranger in the name of a member, and by members without the right.
  (scene) => wanted(scene, scene.organization.people.stranger),
  (scene) => wanted(scene, { ...scene.organization.people.ada, signText: scene.organization.people.stranger.signText }),
  (scene) => wanted(scene, scene.organization.people.eve),
  (scene) => wanted(scene, scene.organization.people.ben),
  (scene) => wanted(scene, { ...scene.organization.people.eve, credential: scene.organization.people.ada.credential }),
  // Removals of an end user's credentials: by a member without the right, and for a credential that no key accepts.
  (scene) => wanted(scene, scene.organization.people.eve, { removes: [ofEndUser(scene, 'spare')] }),
  (scene) => wanted(scene, scene.organization.people.ada, { removes: [ofEndUser(scene, 'former')] }),
  // Signed by a member whom an earlier restriction removed.
  (scene) => {
    const [left] = scene.organization.people.leavers;
    return left && wanted(scene, left);
  },
  // Restrictions for an earlier charter, another organisation, another signer or an unknown charter, and a restriction that
  // removes a user who is not in the charter.
  (scene) => scene.organization.restrictions?.kept,
  (scene) => wanted(scene, scene.organization.people.ada, { organizationId: newId('organization') }),
  (scene) => wanted(scene, scene.organization.people.ada, { signerId: newId('signer') }),
  (scene) => wanted(scene, scene.organization.people.ada, { charter: '0'.repeat(64) }),
  (scene) => wanted(scene, scene.organization.people.ada, { removes: [{ userId: newId('user') }] }),
  // The same restriction again, which has no effect.
  (scene) => scene.organization.restrictions?.taken,
];

function ofEndUser({ organization: { people } }: Scene, name: 'spare' | 'former') {
  const { userId, credential } = people[name];
  return { userId, credentialId: credential.id };
}

const inForce = ({ organization }: Scene): string => organization.restrictions?.inForce ?? '';

/** A restriction that would remove a voter from the charter in force. */
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

/** Whether a restriction with the same text was adopted before. The signer then adopts the text again without an effect. */
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

/** Only a restriction that a member signed for the charter in force may change the charter. */
export const RESTRICTION_ATTACKS: readonly Attack[] = [{ kind: 'restriction of the attacker', weight: 0.3, make: restriction }];
