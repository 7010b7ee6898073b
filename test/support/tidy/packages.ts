import { z } from 'zod';
import { type Rule, textOf } from './tree';

const Versions = z.record(z.string(), z.string()).default({});
const Manifest = z.object({
  dependencies: Versions,
  devDependencies: Versions,
  optionalDependencies: Versions,
  scripts: Versions,
});
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      dev: z.boolean().optional(),
      resolved: z.string().optional(),
      optionalDependencies: Versions,
    }),
  ),
});

const EXACT = /^\d+\.\d+\.\d+(-[\w.]+)?$/;
/** Packages that must not reach a production install, each with its reason. */
const UNWANTED: Readonly<Record<string, string>> = {
  elliptic: 'noble: elliptic has open signature faults',
  axios: 'fetch: one HTTP client less to watch',
};

const manifestOf = (text: string) => Manifest.parse(JSON.parse(text));
const lockOf = (text: string) => Object.entries(Lock.parse(JSON.parse(text)).packages);

export const packageRules: readonly Rule[] = [
  {
    title: 'package.json names exact versions',
    check: (tree) => {
      const { dependencies, devDependencies, optionalDependencies } = manifestOf(textOf(tree, 'package.json'));
      return Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
        .filter(([, version]) => !EXACT.test(version))
        .map(([name, version]) => `${name} ${version} → an exact version`);
    },
  },
  {
    title: 'the production tree holds none of the unwanted packages',
    check: (tree) =>
      lockOf(textOf(tree, 'package-lock.json'))
        .filter(([path, { dev }]) => !dev && (path.split('node_modules/').at(-1) ?? '') in UNWANTED)
        .map(([path]) => `${path} → ${UNWANTED[path.split('node_modules/').at(-1) ?? '']}`),
  },
  {
    title: 'Temporal shares the protobufjs at the top: a second copy breaks replay from JSON',
    check: (tree) => {
      const paths = lockOf(textOf(tree, 'package-lock.json')).map(([path]) => path);
      return [
        ...(paths.includes('node_modules/protobufjs') ? [] : ['node_modules/protobufjs is missing → a dependency of ours']),
        ...paths.filter((path) => /^node_modules\/@temporalio\/.*node_modules\/protobufjs$/.test(path)),
      ];
    },
  },
  {
    title: 'the lock file describes every platform package that it names: npm ci refuses it otherwise',
    check: (tree) => {
      const packages = lockOf(textOf(tree, 'package-lock.json'));
      const locked = new Set(packages.map(([path]) => path.split('node_modules/').at(-1)));
      return packages
        .flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies))
        .filter((name) => !locked.has(name))
        .map((name) => `${name} is missing → node scripts/complete-lock.mjs`);
    },
  },
  {
    title: 'the lock file names no registry',
    check: (tree) =>
      lockOf(textOf(tree, 'package-lock.json'))
        .filter(([, { resolved }]) => resolved !== undefined)
        .map(([path, { resolved }]) => `${path} comes from ${resolved} → install with the .npmrc of this repository`),
  },
  {
    title: 'every npm script starts a file that exists',
    check: (tree) =>
      Object.entries(manifestOf(textOf(tree, 'package.json')).scripts).flatMap(([name, command]) =>
        (command.match(/scripts\/[\w./-]+/g) ?? [])
          .filter((file) => !tree.has(file))
          .map((file) => `npm run ${name}: no ${file}`),
      ),
  },
];
