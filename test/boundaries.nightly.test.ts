import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { SOURCE_FOLDERS } from './support/import-table';

const ROOT = join(__dirname, '..');
const CRUISER = join('node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

const Report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), to: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** One forbidden import per line: its meaning, the file that gets the import, the import, and the rule that must report it. */
const FAULTS: readonly (readonly [meaning: string, file: string, specifier: string, rule: string, types?: 'type'])[] = [
  ['a workflow calls an activity by value', 'workflows/planted-a.ts', '../activities/planted-target', 'workflows-types-only'],
  ['a workflow reads an entity', 'workflows/planted-b.ts', '../entities/wallets/wallet.entity', 'workflows-imports'],
  ['a workflow uses TypeORM', 'workflows/planted-c.ts', 'typeorm', 'workflow-packages'],
  ['a workflow uses zod', 'workflows/planted-d.ts', 'zod', 'workflow-packages'],
  ['a workflow uses Node', 'workflows/planted-e.ts', 'node:crypto', 'workflow-packages'],
  ['policy uses Node', 'policy/planted-a.ts', 'node:crypto', 'pure-folders-stay-pure'],
  ['policy uses zod', 'policy/planted-b.ts', 'zod', 'pure-folders-stay-pure'],
  ['a rule uses zod', 'policy/rules/planted-a.ts', 'zod', 'rules-stay-pure'],
  ['policy imports a row', 'policy/planted-c.ts', '../entities/policies/policy.entity', 'policy-imports', 'type'],
  ['domain imports policy', 'domain/planted-a.ts', '../policy/planted-target', 'domain-imports'],
  ['domain imports the platform', 'domain/planted-b.ts', '../platform/ids', 'domain-imports'],
  ['platform imports a row', 'platform/planted-a.ts', '../entities/users/user.entity', 'platform-imports'],
  ['a store imports policy', 'entities/wallets/planted-a.ts', '../../policy/planted-target', 'entities-imports'],
  ['a chain reads rows', 'chains/evm/planted-a.ts', '../../entities/database', 'chains-imports'],
  ['a family uses another family', 'chains/planted/planted-a.ts', '../evm/codec', 'families-are-islands'],
  ['a vendor adapter reads rows', 'vendors/planted/planted-a.ts', '../../entities/database', 'vendors-imports'],
  [
    'a vendor adapter imports a sibling adapter',
    'vendors/planted/planted-b.ts',
    '../sibling/planted-target',
    'vendor-adapters-are-islands',
  ],
  ['an area of the API uses its sibling', 'api/planted/planted-a.ts', '../sibling/planted-target', 'areas-are-islands'],
  ['the API calls a vendor', 'api/planted/planted-b.ts', '../../vendors/sibling/planted-target', 'api-imports'],
  ['the API runs an activity', 'api/planted/planted-c.ts', '../../activities/planted-target', 'api-imports'],
  [
    'the API imports a workflow, even as a type',
    'api/planted/planted-d.ts',
    '../../workflows/planted-target',
    'api-imports',
    'type',
  ],
  ['the API orders a signature', 'api/planted/planted-e.ts', '../../signer/client', 'api-imports'],
  ['a use case broadcasts', 'application/planted-a.ts', '../chains/gateways', 'application-imports'],
  ['a use case runs an activity', 'application/planted-b.ts', '../activities/planted-target', 'application-imports'],
  ['an activity opens a key', 'activities/planted-a.ts', '../signer/keys/envelope', 'activities-imports'],
  ['an activity imports the API', 'activities/planted-b.ts', '../api/http/operation', 'activities-imports'],
  ['the signer reads rows', 'signer/planted-a.ts', '../entities/database', 'signer-imports'],
  ['the signer builds transactions with a codec', 'signer/planted-b.ts', '../chains/codecs', 'signer-imports'],
  ['the signer gets a database driver', 'signer/planted-c.ts', 'pg', 'signer-is-alone'],
  ['the signer gets a network', 'signer/planted-d.ts', 'node:https', 'signer-has-no-network'],
  ["the approvers' program reads rows", 'verify/planted-a.ts', '../entities/database', 'verify-imports'],
  ["the approvers' program opens keys", 'verify/planted-b.ts', '../signer/keys/envelope', 'verify-imports'],
  ["the approvers' program gets a network", 'verify/planted-c.ts', 'node:https', 'verifier-has-no-network'],
  ['a use case imports the worker', 'application/planted-c.ts', '../worker/planted-target', 'application-imports'],
  ['the worker imports the local trial', 'worker/planted-a.ts', '../local/planted-target', 'worker-imports'],
  ['the worker imports the drill', 'worker/planted-b.ts', '../drill/planted-target', 'worker-imports'],
  ['the database imports the drill', 'entities/planted-b.ts', '../drill/planted-target', 'entities-imports', 'type'],
  ['a use case opens its own connection', 'application/planted-d.ts', 'pg', 'sql-has-one-door'],
  ['a chain SDK gets a private key', 'activities/planted-c.ts', 'viem/accounts', 'no-key-for-a-chain-sdk'],
  ['production code uses a test package', 'platform/planted-b.ts', 'fast-check', 'no-development-packages'],
  ['a package that package.json does not list', 'platform/planted-c.ts', 'uuid', 'declared-packages-only'],
  ['a file that does not exist', 'platform/planted-d.ts', './planted-nowhere', 'resolvable'],
  ['a cycle of imports by value', 'platform/planted-cycle-a.ts', './planted-cycle-b', 'no-circular'],
  // The test appends these imports to existing files. The rule reports other files, from which the imports can be reached.
  ['the codecs bring the gateways into the API', 'chains/codecs.ts', './gateways', 'only-activities-reach-gateways'],
  ['the decoder imports the builder', 'chains/evm/decoder.ts', './codec', 'decoders-share-nothing-with-builders'],
  [
    "the decoder imports the builder's slot of a variant",
    'chains/evm/decoder-variants.ts',
    './variants/own-types',
    'decoders-share-nothing-with-builders',
  ],
  [
    "the builder's slot of a variant imports the decoder's slot",
    'chains/evm/variants/celo.ts',
    '../decoder-celo',
    'builders-share-nothing-with-decoders',
  ],
  ['the builder imports the decoder', 'chains/evm/codec.ts', './decoder', 'builders-share-nothing-with-decoders'],
  ['the workflow bundle gets pino through the failure converter', 'platform/failure-converter.ts', 'pino', 'workflow-packages'],
];

const TARGETS = ['activities', 'policy', 'workflows', 'worker', 'local', 'drill', 'vendors/sibling', 'api/sibling'];

function copyTree(): string {
  const tree = mkdtempSync(join(tmpdir(), 'boundaries-'));
  for (const name of [...SOURCE_FOLDERS, 'package.json', 'tsconfig.json', 'boundaries.cjs', '.dependency-cruiser.cjs']) {
    if (existsSync(join(ROOT, name))) cpSync(join(ROOT, name), join(tree, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

function write(tree: string, file: string, text: string): void {
  mkdirSync(dirname(join(tree, file)), { recursive: true });
  appendFileSync(join(tree, file), `\n${text}\n`);
}

function violationsIn(tree: string) {
  const args = [CRUISER, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...SOURCE_FOLDERS];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (!stdout.startsWith('{')) throw new Error(`dependency-cruiser did not report: ${stdout}${stderr}`);
  return Report.parse(JSON.parse(stdout)).summary.violations;
}

describe('every forbidden import is caught by the rule that forbids it', () => {
  let caught: ReturnType<typeof violationsIn>;
  let tree: string;

  beforeAll(() => {
    tree = copyTree();
    for (const folder of TARGETS)
      write(tree, `${folder}/planted-target.ts`, 'export type Planted = string;\nexport const planted = 1;');
    write(tree, 'platform/planted-cycle-b.ts', "export * from './planted-cycle-a';");
    for (const [, file, specifier, , types] of FAULTS) {
      write(tree, file, types ? `export type * from '${specifier}';` : `export * from '${specifier}';`);
    }
    caught = violationsIn(tree);
  }, 180_000);

  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  for (const [meaning, file, , rule] of FAULTS) {
    test(meaning, () => {
      // A reachability rule reports the file from which the target can be reached, not the file with the planted import.
      const stands = (from: string) => (file.includes('planted') ? from === file : !from.includes('planted'));
      expect(caught.filter(({ from }) => stands(from)).map(({ rule: { name } }) => name)).toContain(rule);
    });
  }
});
