import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { digestOf } from '../../../platform/canonical';
import { newId } from '../../../platform/ids';
import type { Outcome } from '../../wire';
import { callsAt, createPerson, type Person, type Reply } from '../person';
import { anyRequest, type Deed, isTransfer, type ServiceScene, THIEF_ADDRESS } from './deed';
import { signedLogin } from './signed-login';

const Approved = z.object({ digest: z.string(), committed: z.record(z.string(), z.unknown()) });

/**
 * The attacker signs in with a key that the attacker added to a person's credentials, or as a new member that the attacker added.
 */
async function intruder(scene: ServiceScene, isNew: boolean): Promise<Person | undefined> {
  const { hands, company, random } = scene;
  const { rows } = hands;
  const { orgId, people, usernames } = company;
  const of = random.oneOf([people.ada, people.ben, people.cyd, people.dan]).userId;
  const userId = isNew ? newId('user') : of;
  const username = isNew ? `${userId}@thief.example` : (usernames[of] ?? '');
  if (isNew) {
    await rows.app.copy('users', `id = '${of}'`, { id: userId, username });
    await rows.app.copy('permission_assignments', `user_id = '${of}' LIMIT 1`, { id: newId('assignment'), user_id: userId });
  }
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const credId = randomBytes(16).toString('base64url');
  const publicKeyPem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const set = { id: newId('credential'), user_id: userId, credential_id: credId, public_key: publicKeyPem };
  await rows.app.copy('credentials', `user_id = '${of}' ORDER BY date_created LIMIT 1`, set);
  const token = await signedLogin(callsAt(hands.apiUrl), { orgId, username, credId, privateKey });
  const privateKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  return token === undefined ? undefined : createPerson(hands.apiUrl, { orgId, userId, token, credId, privateKeyPem });
}

const outcomeOf = ({ status, body }: Reply): Outcome =>
  status === 200 || status === 202
    ? { kind: 'Accepted', result: {} }
    : { kind: 'Refused', reason: `${status} ${reasonIn(body)}` };
const reasonIn = (body: unknown): string =>
  z.object({ error: z.object({ id: z.string() }) }).safeParse(body).data?.error.id ?? 'unknown';
const LOCKED_OUT: Outcome = { kind: 'Refused', reason: 'no sign-in' };

/** A payment to the thief, in the name of a person or of a member that the attacker added. */
const askAs =
  (isNew: boolean) =>
  async (scene: ServiceScene): Promise<Outcome> => {
    const by = await intruder(scene, isNew);
    if (!by) return LOCKED_OUT;
    const { company, random } = scene;
    const { wallets } = company;
    const wallet = wallets[random.oneOf(['free', 'freeToo', 'held', 'limited', 'paced'] as const)];
    const payment = { kind: 'Native', to: THIEF_ADDRESS, amount: String(1_000 + scene.number) };
    const [path, body] = random.oneOf<readonly [string, object]>([
      [`/wallets/${wallet.id}/transfers`, payment],
      [`/wallets/${wallet.id}/transactions`, { kind: 'Evm', to: THIEF_ADDRESS, value: payment.amount }],
      [`/keys/${wallet.keyId}/signatures`, { kind: 'Message', message: '0x6d696e65' }],
      ['/wallets', { network: 'EthereumSepolia' }],
    ]);
    return outcomeOf(await by.change('POST', path, body));
  };

/** Votes in the officers' names, signed with the attacker's keys. */
const voteAs =
  (isNew: boolean) =>
  async (scene: ServiceScene): Promise<Outcome | undefined> => {
    const found = anyRequest(scene, (one) => isTransfer(one) && one.isForbidden && one.approvalId !== undefined);
    if (!found) return undefined;
    const by = await intruder(scene, isNew);
    if (!by) return LOCKED_OUT;
    const { body } = await by.get(`/v2/policy-approvals/${found.approvalId}/evidence`);
    const evidence = Approved.safeParse(body).data;
    const digest = evidence && digestOf(evidence.committed as Parameters<typeof digestOf>[0]);
    return outcomeOf(
      await by.change('POST', `/v2/policy-approvals/${found.approvalId}/decisions`, { value: 'Approved' }, digest),
    );
  };

/** Releases freezes and removes policies and members, with requests through the real API. */
const manageAs =
  (isNew: boolean) =>
  async (scene: ServiceScene): Promise<Outcome> => {
    const by = await intruder(scene, isNew);
    if (!by) return LOCKED_OUT;
    const { freezeId, policies, wallets } = scene.company;
    const [method, path] = scene.random.oneOf<readonly ['DELETE' | 'PUT', string]>([
      ['DELETE', `/freezes/${freezeId}`],
      ['DELETE', `/v2/policies/${scene.random.oneOf(policies)}`],
      ['PUT', `/wallets/${wallets.held.id}/tags`],
    ]);
    return outcomeOf(await by.change(method, path, method === 'PUT' ? { tags: ['mine'] } : {}));
  };

/** Actions of people whom the attacker planted, through the real API. */
export const PLANTED_DEEDS: readonly Deed[] = [
  { kind: 'planted key asks', weight: 3, act: askAs(false) },
  { kind: 'planted key votes', weight: 4, act: voteAs(false) },
  { kind: 'planted key manages', weight: 2, act: manageAs(false) },
  { kind: 'planted member asks', weight: 2, act: askAs(true) },
  { kind: 'planted member votes', weight: 2, act: voteAs(true) },
  { kind: 'planted member manages', weight: 1, act: manageAs(true) },
];
