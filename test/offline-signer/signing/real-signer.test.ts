import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { signGroup } from '../../../offline-signer/signing/sign-group';
import { canonical } from '../../../platform/canonical';
import type { SignedInput, SignRequest } from '../../../platform/fleets/inputs';
import type { SignOutputJson } from '../../../platform/fleets/outputs';
import { charterDigest } from '../../../signer/charters/charter';
import { refusedAs } from '../../signer/fixtures';
import { createDice } from '../../support/dice';
import { createParty } from '../../support/fleet-parties';
import { charter } from './office';
import { coinPayment, coins, evm, evmPayment, replacing, solana, solanaPayment } from './payments';
import { openSignerAndDevice, type Rig } from './real-signer';

let rig: Rig;
beforeAll(async () => {
  rig = await openSignerAndDevice();
  await rig.assign(rig.keyAt('secp256k1', 0), 'key-evm');
  await rig.assign(rig.keyAt('secp256k1', 1), 'key-coins');
  await rig.assign(rig.keyAt('ed25519', 0), 'key-solana');
});
afterAll(() => rig.close());

let count = 0;
const nextId = () => {
  count += 1;
  return `xfr-${count}`;
};
const evmOf = (wanted: Parameters<typeof evmPayment>[1] = {}) =>
  evmPayment(nextId(), { keyId: 'key-evm', key: rig.keyAt('secp256k1', 0), nonce: 100 + count, ...wanted });
const archiveOf = async (...payments: ReturnType<typeof evmPayment>[]) => {
  const groupId = rig.newGroup();
  const requests: SignRequest[] = [];
  for (const payment of payments) requests.push(await rig.vouchFor(groupId, payment));
  return rig.archive(rig.groupOf(groupId, requests));
};
const signaturesIn = ({ outputs }: SignOutputJson, requestId: string) => {
  const result = outputs[`fo-${requestId}`]?.result;
  return result && 'success' in result
    ? Object.values(result.success).map((one) => String((one as { signature: string }).signature))
    : [];
};
const words = (signature: string) => ({ r: `0x${signature.slice(0, 64)}`, s: `0x${signature.slice(64)}` });
/** The claims are on disk before a signature exists, so an unchanged log means that nothing was signed. */
const claimsNow = () => {
  try {
    return readFileSync(join(rig.device.folder, 'claims.log'), 'utf8');
  } catch {
    return '';
  }
};

test('what the signer vouches for is signed on the device, and the transactions are valid', async () => {
  const coin = coinPayment(nextId(), { keyId: 'key-coins', key: rig.keyAt('secp256k1', 1) });
  const sol = solanaPayment(nextId(), { keyId: 'key-solana', key: rig.keyAt('ed25519', 0) });
  const output = await rig.signOn(rig.device, await archiveOf(evmOf(), coin, sol));
  expect(output.status).toBe('success');
  const inputs = signaturesIn(output, coin.order.requestId).map(words);
  expect(coins.attach({ bytesHex: String(coin.order['bytesHex']) }, inputs, coin.key.publicKey).txHash).toBeDefined();
  const { intent, bytesHex } = sol.order as never as { intent: { from: string }; bytesHex: string };
  const [signature = ''] = signaturesIn(output, sol.order.requestId);
  expect(solana.attach({ bytesHex, digestHex: '', maxFeeUnits: 0n }, `0x${signature}`, intent.from).txHash).toBeDefined();
});

test('the same archive gets the same output, and a repeated request in a later group the same signature', async () => {
  const payment = evmOf();
  const text = await archiveOf(payment);
  const first = await rig.signOn(rig.device, text);
  expect(await rig.signOn(rig.device, text)).toEqual(first);
  const groupId = rig.newGroup();
  const later = { ...(await rig.vouchFor(groupId, payment)), operationId: 'fo-later' };
  const second = await rig.signOn(rig.device, await rig.archive(rig.groupOf(groupId, [later])));
  expect(second.outputs['fo-later']?.result).toEqual(first.outputs[`fo-${payment.order.requestId}`]?.result);
});

describe('a service without the key of the signer', () => {
  test('cannot make an archive', async () => {
    const groupId = rig.newGroup();
    const input = rig.groupOf(groupId, [await rig.vouchFor(groupId, evmOf())]);
    const before = claimsNow();
    const stranger = createParty('Operator', 'signer');
    const forged = canonical({ input, signed: stranger.state('input', input) } as never);
    await expect(rig.signOn(rig.device, forged)).rejects.toThrow('not signed by the signer whose key this machine has pinned');
    expect(claimsNow()).toBe(before);
  });

  test('gets no archive for a vouch of another group, and no vouch for a second payload of a nonce', async () => {
    const payment = evmOf();
    const request = await rig.vouchFor(rig.newGroup(), payment);
    await expect(rig.archive(rig.groupOf(rig.newGroup(), [request]))).rejects.toEqual(refusedAs('FleetInputMismatch'));
    const { nonce } = payment.order as never as { nonce: number };
    await expect(rig.vouchFor(rig.newGroup(), evmOf({ nonce, amountUnits: 5n }))).rejects.toEqual(
      refusedAs('NonceSignedAlready'),
    );
  });
});

/** The device keeps the claims of the archive and signs, and the power goes before the output is written. */
async function losePower(text: string): Promise<void> {
  const session = rig.device.session(() => new Date(rig.clock.nowMs));
  const save = () => {
    throw new Error('the power is gone');
  };
  const before = claimsNow();
  await expect(signGroup({ ...session, open: { ...session.open, save } }, { input: text })).rejects.toThrow('the power is gone');
  expect(claimsNow().length).toBeGreaterThan(before.length);
}

test('after a loss of power between claim and output, the same archive gets the same signature, and no other payload does', async () => {
  const text = await archiveOf(evmOf());
  await losePower(text);
  const kept = claimsNow();
  expect((await rig.signOn(rig.device, text)).status).toBe('success');
  expect(claimsNow()).toBe(kept);
});

test('a stuck payment is replaced by an order that the signer vouches for, also after a loss of power', async () => {
  const first = evmOf();
  expect((await rig.signOn(rig.device, await archiveOf(first))).status).toBe('success');
  const { requestId, nonce } = first.order as never as { requestId: string; nonce: number };
  const cancel = (): ReturnType<typeof evmPayment> => evmOf({ nonce, amountUnits: 0n, to: evm.addressOf(first.key.publicKey) });
  const [foreign, honest] = [replacing('xfr-of-others', cancel()), replacing(requestId, cancel())];
  await expect(archiveOf(foreign)).rejects.toEqual(refusedAs('NonceSignedAlready'));
  const text = await archiveOf(honest);
  await losePower(text);
  const kept = claimsNow();
  const output = await rig.signOn(rig.device, text);
  expect(signaturesIn(output, honest.order.requestId)).toHaveLength(1);
  expect(claimsNow()).toBe(kept);
  expect(rig.device.screen.said).toContain(`REPLACES a payment that this device has signed: request ${requestId}`);
});

const LOCAL_FILES = ['rules.json', 'charter.json'] as const;

describe('the files of the device', () => {
  const open = () => rig.device.session().open;
  const outcomeOf = async (payment: ReturnType<typeof evmPayment>) => {
    const result = (await rig.signOn(rig.device, await archiveOf(payment))).outputs[`fo-${payment.order.requestId}`]?.result;
    return result && 'fail' in result ? result.fail.code : 'signed';
  };
  afterAll(() => {
    for (const name of LOCAL_FILES) {
      rmSync(join(rig.device.folder, name), { force: true });
      open().trustText(name);
    }
  });

  test('apply to what the signer vouches for: rules, and a charter whose members have not asked', async () => {
    const rules = { v: 1, requireCharter: true, confirmAllAtOnce: false, messages: false, networks: { EthereumSepolia: {} } };
    open().keepText('rules.json', JSON.stringify(rules));
    expect(await outcomeOf(evmOf())).toBe('CharterRequired');
    const charterText = JSON.stringify(charter({ signerId: rig.signer.health().signerId }).content);
    open().keepText('charter.json', JSON.stringify({ v: 1, digest: charterDigest(charterText), charter: charterText }));
    // The signer has no charter here, like a signer whose key was stolen: it vouches without any signature of a person.
    expect(await outcomeOf(evmOf())).toBe('InitiatorMissing');
    open().keepText('rules.json', JSON.stringify({ ...rules, networks: {} }));
    expect(await outcomeOf(evmOf())).not.toBe('signed');
  });

  test('count only as people have trusted them: a thief who writes to the folder cannot exchange or remove them', async () => {
    const text = await archiveOf(evmOf());
    const path = (name: string) => join(rig.device.folder, name);
    const trusted = LOCAL_FILES.map((name) => [name, readFileSync(path(name), 'utf8')] as const);
    const [, [, charterFile]] = trusted as [(typeof trusted)[0], (typeof trusted)[0]];
    const own = { ...(JSON.parse(charterFile) as object), digest: '0'.repeat(64) };
    rig.device.screen.agrees = false;
    for (const change of [() => rmSync(path('charter.json')), () => writeFileSync(path('charter.json'), JSON.stringify(own))]) {
      change();
      await expect(rig.signOn(rig.device, text)).rejects.toThrow('charter.json is not as people have trusted it');
    }
    for (const [name, kept] of trusted) writeFileSync(path(name), kept);
    const softer = { v: 1, requireCharter: false, confirmAllAtOnce: false, messages: true, networks: { EthereumSepolia: {} } };
    for (const change of [() => rmSync(path('rules.json')), () => writeFileSync(path('rules.json'), JSON.stringify(softer))]) {
      change();
      await expect(rig.signOn(rig.device, text)).rejects.toThrow('did not agree');
    }
    expect(rig.device.screen.said.join()).toContain('THE RULES OF THIS DEVICE ARE GONE');
    expect(rig.device.screen.said).toContain('NEW RULES in rules.json:');
    rig.device.screen.agrees = true;
    await rig.signOn(rig.device, text);
    expect(open().isTrusted('rules.json')).toBe(true);
  });

  test('stop the device if they cannot be read', async () => {
    open().keepText('rules.json', '{}');
    await expect(outcomeOf(evmOf())).rejects.toThrow('rules.json');
  });
});

describe('a hostile operator who edits the archive', () => {
  const EDITS = 300;

  test(`gets no signature for any of ${EDITS} edits, in each region of the text`, async () => {
    const text = await archiveOf(evmOf(), evmOf());
    const before = claimsNow();
    const next = createDice(20_261_130);
    const outcomes = new Set<string>();
    for (let edit = 0; edit < EDITS; edit += 1) {
      const at = Math.floor((edit * text.length) / EDITS) + next(Math.floor(text.length / EDITS));
      const char = String.fromCharCode(32 + next(95));
      const ways = [
        text.slice(0, at) + char + text.slice(at + 1),
        text.slice(0, at) + text.slice(at + 1),
        text.slice(0, at) + char + text.slice(at),
        text.slice(0, at),
      ];
      const edited = ways[next(ways.length)] ?? '';
      if (edited === text) continue;
      await expect(
        signGroup(
          rig.device.session(() => new Date(rig.clock.nowMs)),
          { input: edited },
        ),
      ).rejects.toThrow();
      outcomes.add(claimsNow() === before ? 'nothing signed' : 'SIGNED');
    }
    expect([...outcomes]).toEqual(['nothing signed']);
    expect((await rig.signOn(rig.device, text)).status).toBe('success');
  });

  test('gets no signature for archives whose parts were exchanged', async () => {
    const [one, two] = [await archiveOf(evmOf(), evmOf()), await archiveOf(evmOf())].map(
      (text) => JSON.parse(text) as SignedInput,
    );
    if (!one || !two || one.input.task.kind !== 'OnchainSign' || two.input.task.kind !== 'OnchainSign')
      throw new Error('not a group');
    const before = claimsNow();
    const [first, second] = one.input.task.requests;
    const [other] = two.input.task.requests;
    const withRequests = (...requests: unknown[]) => ({
      ...one,
      input: { ...one.input, task: { kind: 'OnchainSign', requests } },
    });
    const edited = [
      withRequests(second, first),
      withRequests(first),
      withRequests(first, first),
      withRequests(first, second, other),
      { ...one, signed: two.signed },
      { ...two, input: { ...two.input, groupId: one.input.groupId } },
      { ...one, input: { ...one.input, notAfter: '2099-01-01T00:00:00.000Z' } },
      { ...one, input: { ...one.input, manifest: null } },
    ];
    for (const each of edited) await expect(rig.signOn(rig.device, canonical(each as never))).rejects.toThrow();
    expect(claimsNow()).toBe(before);
  });
});
