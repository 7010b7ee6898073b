import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newIdentity } from '../../offline-signer/members/identity';
import type { Screen } from '../../offline-signer/screen';
import type { Files, Session } from '../../offline-signer/session';
import { openFolder } from '../../offline-signer/state/open-folder';
import { canonical } from '../../platform/canonical';
import { assertCeremonyOutput, type CeremonyResult } from '../../platform/fleets/assert-output';
import { type Card, type CardRole, cardDigest } from '../../platform/fleets/cards';
import type { FleetInput } from '../../platform/fleets/inputs';
import type { ProvenKey } from '../../platform/fleets/key-proofs';
import { type FleetManifest, manifestDigest } from '../../platform/fleets/manifests';
import { shortDigest } from '../../platform/fleets/statement';
import { fleetInput } from './fleet-outputs';
import { createParty } from './fleet-parties';

export const QUICK_PIN = { N: 2 ** 4, r: 8, p: 1 } as const;
export const PIN = 'a long sentence of this machine';
export const DICE = '1234 5612 3456 1234 5612 3456 1234 5612 3456 1234 5612 3456 12';

/** What people have written on paper: a fingerprint by the words with which a program asks for it. */
export type Paper = Map<string, string>;

export type ScriptedScreen = Screen & { readonly said: string[]; today: string; agrees: boolean; dice: string };

/** People who read from paper, agree, and know the date. */
export function createScreen(paper: Paper): ScriptedScreen {
  const screen: ScriptedScreen = {
    said: [],
    today: new Date().toISOString().slice(0, 10),
    agrees: true,
    dice: DICE,
    say: (lines) => void screen.said.push(...lines),
    confirm: (question) => {
      screen.said.push(question);
      return Promise.resolve(screen.agrees);
    },
    ask(question) {
      screen.said.push(question);
      if (question.includes('date of today')) return Promise.resolve(screen.today);
      const [, what = ''] = /fingerprint of (.+) from paper/.exec(question) ?? [];
      return Promise.resolve(paper.get(what) ?? 'not on the paper');
    },
    askSecret: () => Promise.resolve(screen.dice),
  };
  return screen;
}

export type Machine = {
  readonly folder: string;
  readonly card: Card;
  readonly cardText: string;
  readonly screen: ScriptedScreen;
  /** Opens the folder again, as a new run of the program does. */
  readonly session: (now?: () => Date) => Session;
};

const MEMBERS: Readonly<Record<CardRole, string>> = {
  Device: 'the new device',
  Provisioner: 'the provisioner',
  Operator: 'the operator',
};

/** A room with machines that share nothing except the texts that people carry, and one sheet of paper. */
export function createRoom() {
  const root = mkdtempSync(join(tmpdir(), 'strongroom-fleet-'));
  const paper: Paper = new Map();
  return {
    paper,
    remove: () => {
      for (const folder of [root, `${root}-kept`]) rmSync(folder, { recursive: true, force: true });
    },
    /** Keeps the folders of all machines. `restore` puts them back. */
    keep: () => cpSync(root, `${root}-kept`, { recursive: true }),
    restore: () => {
      rmSync(root, { recursive: true });
      cpSync(`${root}-kept`, root, { recursive: true });
    },
    async machine(role: CardRole, serial: string): Promise<Machine> {
      const folder = join(root, `${role}-${serial}`);
      const screen = createScreen(paper);
      const files = await newIdentity(screen, { folder, pin: PIN, role, serial, cost: QUICK_PIN });
      const cardText = files['card.json'] as string;
      const card = JSON.parse(cardText) as Card;
      for (const name of [MEMBERS[role], 'the new member']) paper.set(`${name} ${serial}`, shortDigest(cardDigest(card)));
      return {
        folder,
        card,
        cardText,
        screen,
        session: (now = () => new Date()) => ({ open: openFolder(folder, PIN), screen, now }),
      };
    },
  };
}

const writeManifest = (paper: Paper, manifest: FleetManifest) => {
  const fingerprint = shortDigest(manifestDigest(manifest));
  const names = [', from the screen of the device,', ', from the screen of the source,'].map((place) => `the manifest${place}`);
  for (const name of [...names, 'the newest manifest of the fleet', 'the pending manifest']) paper.set(name, fingerprint);
};

/** The part of the service that a fleet sees: it signs inputs, verifies outputs, and commits manifests. */
export function createFleetService(paper: Paper) {
  const signer = createParty('Operator', 'signer');
  paper.set('the signer signer-test', shortDigest(signer.by));
  const service = {
    signer,
    head: null as FleetManifest | null,
    keys: [] as ProvenKey[],
    abandons: [] as string[],
    input(task: FleetInput['task'], given: Partial<FleetInput> = {}): FleetInput {
      return fleetInput(task, service.head, { abandons: service.abandons, ...given });
    },
    sign: (input: FleetInput, party = signer): string => canonical({ input, signed: party.state('input', input) } as never),
    verify: (input: FleetInput, files: Files): Promise<CeremonyResult> =>
      assertCeremonyOutput({
        ...{ input, head: service.head, file: files['output-file.json'] ?? '' },
        outputJson: JSON.parse(files['output.json'] ?? '{}'),
        knownKeys: new Set(service.keys.map(({ publicKey }) => publicKey)),
      }),
    async approve(input: FleetInput, files: Files): Promise<FleetManifest> {
      const { manifest, keys } = await service.verify(input, files);
      service.head = manifest.manifest;
      service.keys.push(...keys);
      writeManifest(paper, manifest.manifest);
      return manifest.manifest;
    },
    async reject(input: FleetInput, files: Files): Promise<void> {
      const { manifest } = await service.verify(input, files);
      service.abandons.push(manifestDigest(manifest.manifest));
    },
    /** People write down what the device shows, before the service has decided. */
    note: (manifest: FleetManifest) => writeManifest(paper, manifest),
  };
  return service;
}
