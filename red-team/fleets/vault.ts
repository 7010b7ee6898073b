import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adopt, charterSeries, createOperatorKey } from '../../bench/bench-charters';
import { startSigner } from '../../bench/signer-process';
import { codecOf } from '../../chains/codecs';
import { HOUR_MS } from '../../domain/durations';
import type { FleetCurve } from '../../domain/fleets';
import { genesis } from '../../offline-signer/ceremonies/genesis';
import { trustCharter } from '../../offline-signer/signing/trusted-charter';
import { canonical } from '../../platform/canonical';
import type { FleetInput, FleetKey } from '../../platform/fleets/inputs';
import { SignedOutputFile } from '../../platform/fleets/outputs';
import { type BySigner, type StatementType, shortDigest, statementBytes } from '../../platform/fleets/statement';
import { newId } from '../../platform/ids';
import { type Charter, charterDigest, type SignedCharter } from '../../signer/charters/charter';
import type { Arithmetic, SignerClient } from '../../signer/protocol';
import { openOfflineStore } from '../offline-store';
import { COINS, EVM, LISTED, moment, type Organization, SOLANA, type Wallet } from '../organization';
import { createPeople, HELD_TAG } from '../people';
import { SEEN } from '../seen';
import { copyMachine, createMachine, type Machine, type Paper } from './machines';

/** The wallets whose keys are on the device, with the tags of the charter. */
const WALLETS = {
  free: ['secp256k1', 0, EVM, []],
  held: ['secp256k1', 1, EVM, [HELD_TAG]],
  coins: ['secp256k1', 2, COINS, []],
  heldCoins: ['secp256k1', 3, COINS, [HELD_TAG]],
  sender: ['ed25519', 0, SOLANA, []],
  heldSender: ['ed25519', 1, SOLANA, [HELD_TAG]],
} as const satisfies Readonly<Record<string, readonly [FleetCurve, number, string, readonly string[]]>>;
type VaultWallet = keyof typeof WALLETS;
/** `pool` is the key as the device derives it. */
type VaultKey = Wallet & { readonly pool: FleetKey };
type Content = Omit<Charter, 'signerId' | 'sequence' | 'previous' | 'dateIssued'>;
const IDENTITY_BYTES = 32;
const KEYS = { secp256k1: 4, ed25519: 2 } as const;
const SCHEMES = { secp256k1: 'ECDSA', ed25519: 'EdDSA' } as const;
const ANCHOR_EVERY_MS = 5_000;
const START_TIMEOUT_MS = 60_000;
const RULES = { v: 1, requireCharter: true, confirmAllAtOnce: false, messages: true };

type Place = { readonly client: SignerClient; readonly orgId: string; readonly signerId: string; readonly storeId: string };

export const inputOf = ({ orgId, signerId, storeId }: Omit<Place, 'client'>, task: FleetInput['task']): FleetInput => ({
  ...{ type: 'strongroom-fleet-input', v: 1, signerId, orgId, storeId, fleetId: 'fl-vault', fleetLabel: 'Vault' },
  ...{ groupId: newId('fleetGroup'), manifest: null, abandons: [], task },
  ...{ dateIssued: new Date().toISOString(), notAfter: new Date(Date.now() + HOUR_MS).toISOString() },
});

export async function sealed({ client }: Pick<Place, 'client'>, input: FleetInput, evidence: readonly unknown[] = []) {
  const order = { requestId: input.groupId, orgId: input.orgId, input: canonical(input as never), evidence, ...moment() };
  const { signed } = await client.sealFleetInput(order as never);
  return canonical({ input, signed } as never);
}

/** The genesis before the first charter, in which no member can be verified. */
async function founded(place: Place, root: string, paper: Paper) {
  const device = await createMachine(root, paper, 'Device', 'D-1');
  const provisioners = await Promise.all(['P-1', 'P-2'].map((serial) => createMachine(root, paper, 'Provisioner', serial)));
  const operator = await createMachine(root, paper, 'Operator', 'M-1');
  const task = { kind: 'Genesis', operationId: 'fo-genesis', deviceSerial: 'D-1', provisioners: 2, threshold: 2, keys: KEYS };
  const input = inputOf(place, task as FleetInput['task']);
  const text = await sealed(place, input);
  const { by } = (JSON.parse(text) as { signed: { by: string } }).signed;
  paper.set(`the signer ${place.signerId}`, shortDigest(by));
  const cards = { provisioners: provisioners.map(({ cardText }) => cardText), operator: operator.cardText };
  const files = await genesis(device.session(), { input: text, ...cards, noDice: true });
  const [outputJson = '', file = ''] = [files['output.json'], files['output-file.json']];
  const people = { createdBy: 'us-founder', submittedBy: 'us-courier', reviewedBy: 'us-reviewer' };
  await place.client.recordFleet({
    ...{ requestId: input.groupId, orgId: place.orgId, input: text, outputJson, file, ...people },
    ...moment(),
  });
  const { output } = SignedOutputFile.parse(JSON.parse(file));
  if (output.manifest === null) throw new Error('a genesis has a manifest');
  return { device, keys: output.keys, manifest: output.manifest.manifest };
}

async function walletOf(place: Place, keys: readonly FleetKey[], name: VaultWallet): Promise<VaultKey> {
  const [curve, index, network, tags] = WALLETS[name];
  const found = keys.find((one) => one.curve === curve && one.index === index);
  if (!found) throw new Error(`the pool has no key for ${name}`);
  const keyId = newId('key');
  const form = { scheme: SCHEMES[curve], curve, publicKeyHex: found.publicKey } as const;
  const { orgId, storeId } = place;
  await place.client.assignFleetKey({ requestId: newId('keyRequest'), orgId, storeId, keyId, ...form });
  const address = codecOf(network).addressOf(found.publicKey);
  const key = { sealed: { orgId, keyId, ...form }, dek: '', publicKeyHex: found.publicKey };
  const pool = { curve, index, publicKey: found.publicKey };
  return { name, key: key as never, row: { id: newId('wallet'), keyId, network, address, tags: [...tags] }, pool };
}

/** The first charter is the one to which the attacker wants to roll the device back. */
async function adoptCharters(place: Place, stateDir: string, operatorKey: KeyObject, content: Content) {
  const series = charterSeries(operatorKey, place.signerId, content);
  const [former, charter] = [series(), series()];
  for (const one of [former, charter]) await adopt(stateDir, one);
  return { former, charter };
}

/** People put the rules on the device, and compare both charters with paper. They keep only the paper of the second. */
async function trustCharters(device: Machine, paper: Paper, charters: readonly SignedCharter[]): Promise<void> {
  const { open } = device.session();
  // As after the first archive that continues the manifest of the genesis.
  open.save({ committed: open.state().pending, pending: null });
  open.keepText('rules.json', JSON.stringify({ ...RULES, networks: { [EVM]: {}, [COINS]: {}, [SOLANA]: {} } }));
  for (const { charter } of charters) {
    const { sequence } = JSON.parse(charter) as { sequence: number };
    paper.delete(`the charter ${sequence - 1}`);
    paper.set(`the charter ${sequence}`, shortDigest(charterDigest(charter)));
    await trustCharter(device.session(), { charter });
  }
}

/** A person or program with a signer of its own. */
function createThief() {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const by = publicKey.export({ format: 'der', type: 'spki' }).subarray(-IDENTITY_BYTES).toString('hex');
  const state = (type: StatementType, body: object): BySigner => ({
    by,
    signature: sign(null, statementBytes(type, body as never), privateKey).toString('base64'),
  });
  return { by, state };
}

/** Renews the signer's anchor, as the worker does. */
async function keepAnchor(client: SignerClient) {
  let { anchor } = await client.anchor();
  const renew = async () => {
    const next = await client.anchor().catch(() => undefined);
    if (next) ({ anchor } = next);
  };
  const renewing = setInterval(() => void renew(), ANCHOR_EVERY_MS).unref();
  return { now: () => anchor, stop: () => clearInterval(renewing) };
}

type Options = { readonly arithmetic: Arithmetic; readonly isGuarded?: boolean };

/**
 * A signer process, an organisation under a charter, and a device with the keys of its wallets. `twin` is a copy of the device
 * that has pinned a signer of the attacker: only the charter and the signatures of people protect its keys. Without `isGuarded`
 * the twin has no charter and no rules, and the attacker succeeds.
 */
export async function openVault({ arithmetic, isGuarded = true }: Options) {
  const root = mkdtempSync(join(tmpdir(), 'strongroom-vault-'));
  const stateDir = join(root, 'signer');
  mkdirSync(stateDir, { mode: 0o700 });
  const { privateKey: operatorKey, publicKeyHex: operatorKeyHex } = createOperatorKey();
  const signer = await startSigner(arithmetic, { stateDir, operatorKeyHex, isCompiled: true, startTimeoutMs: START_TIMEOUT_MS });
  const { client } = signer;
  const { signerId } = await client.health();
  const orgId = newId('organization');
  const place = { client, orgId, signerId, storeId: await openOfflineStore({ orgId, signerId, stateDir, operatorKey }) };
  const paper: Paper = new Map();
  const { device, keys, manifest } = await founded(place, root, paper);
  const anchor = await keepAnchor(client);
  const people = createPeople(orgId, anchor.now);
  const wallets = {} as Record<VaultWallet, VaultKey>;
  for (const name of Object.keys(WALLETS) as VaultWallet[]) wallets[name] = await walletOf(place, keys, name);
  const rows = Object.values(wallets).map(({ row }) => row);
  const content: Content = {
    ...{ v: 1, organizationId: orgId, members: people.members, wallets: rows, policies: people.policies(LISTED) },
    ...{ feeSponsors: [], registryAddresses: [], changePolicies: [], seen: SEEN, limits: [] },
  };
  const { former, charter } = await adoptCharters(place, stateDir, operatorKey, content);
  await trustCharters(device, paper, [former, charter]);
  const thief = createThief();
  const pristine = copyMachine(device, join(root, 'pristine'), new Map(paper));
  pristine.session().open.save({ signerKey: thief.by });
  for (const name of isGuarded ? [] : (['rules.json', 'charter.json'] as const)) {
    rmSync(join(pristine.folder, name));
    pristine.session().open.trustText(name);
  }
  const sponsors = { evm: newId('feeSponsor'), solana: newId('feeSponsor') };
  // The attacks of the other folder take their wallets and people from here. What they miss, they do not make.
  const organization = { ...place, people, wallets, sponsors, content, former, charter, others: [] } as never as Organization;
  return {
    ...{ signer, place, device, thief, paper, manifest, people, organization, former },
    keys: Object.values(wallets).map(({ pool }) => pool),
    twinAt: (name: string): Machine => copyMachine(pristine, join(root, name), new Map(paper)),
    async close() {
      anchor.stop();
      await signer.stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
export type Vault = Awaited<ReturnType<typeof openVault>>;
