import { join } from 'node:path';
import { ROOT } from './config';

export type Env = Readonly<Record<string, string | undefined>>;
export type Child = {
  readonly role: string;
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly stop: (graceMs: number) => Promise<string>;
};
type Output = { readonly lineOf: (role: string) => (line: string) => void };
type ProcessGroup = {
  readonly add: (child: Child) => Child;
  readonly stopAll: () => Promise<void>;
  readonly death: Promise<never>;
};
type Settings = { readonly ports: Readonly<Record<string, number>>; readonly dataFolder: string };
type Place = { readonly folder: string };
type Passwords = { readonly superuser: string };
type Databases = Readonly<Record<'DATABASE_URL' | 'WORKER_DATABASE_URL' | 'RELAY_DATABASE_URL' | 'OWNER_DATABASE_URL', string>>;
type ServiceOptions = {
  readonly settings: Settings;
  readonly env: Env;
  readonly parts: {
    readonly postgresBin: string;
    readonly temporal: string;
    readonly anvil: string;
    readonly native?: string | undefined;
  };
  readonly runtimeFolder: string;
  readonly hosts: readonly string[];
  readonly processGroup: ProcessGroup;
  readonly output: Output;
  readonly moreEnv?: (role: string) => Env;
};

/** The scripts are plain JavaScript, so this type describes their exports. */
type Scripts = {
  readonly 'postgres.mjs': {
    readonly placeCluster: (options: { readonly bin: string; readonly folder: string; readonly env: Env }) => Promise<Place>;
    readonly ensureCluster: (place: Place, options: { readonly password: string }) => Promise<void>;
    readonly startPostgres: (
      place: Place,
      options: {
        readonly port: number;
        readonly socketFolder: string;
        readonly settings: Readonly<Record<string, string | number>>;
        readonly onLine: (line: string) => void;
        readonly onSpawn: (child: Child) => void;
      },
    ) => Promise<Child>;
  };
  readonly 'prepare/run.mjs': {
    readonly run: (
      command: string,
      args: readonly string[],
      options: { readonly env: Env; readonly cwd?: string },
    ) => Promise<{
      readonly stdout: string;
    }>;
  };
  readonly 'supervisor/child.mjs': {
    readonly startChild: (options: {
      readonly role: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Env;
      readonly cwd: string;
      readonly onLine: (line: string) => void;
    }) => Child;
  };
  readonly 'supervisor/database.mjs': {
    readonly ensureDatabase: (options: {
      readonly root: string;
      readonly port: number;
      readonly passwords: Passwords;
    }) => Promise<Databases>;
  };
  readonly 'supervisor/ports.mjs': {
    readonly freePort: () => Promise<number>;
    readonly stateOf: (port: number, host: string) => Promise<'free' | 'taken' | 'forbidden' | 'absent'>;
  };
  readonly 'supervisor/preflight.mjs': { readonly makeRuntimeFolder: (dataFolder: string) => string };
  readonly 'supervisor/readiness.mjs': {
    readonly untilReady: (name: string, look: () => Promise<string | undefined>) => Promise<void>;
  };
  readonly 'supervisor/roles.mjs': {
    readonly baseEnv: (env: Env) => Env;
    readonly roleEnvs: (options: {
      readonly settings: Settings;
      readonly env: Env;
      readonly secrets: unknown;
      readonly databases: Databases;
      readonly runtimeFolder: string;
      readonly parts: { readonly anvil: string; readonly native?: string | undefined };
      readonly hosts: readonly string[];
    }) => { readonly worker: Env; readonly api: Env; readonly socket: string };
  };
  readonly 'supervisor/secrets.mjs': {
    readonly ensureSecrets: (dataFolder: string) => unknown;
    readonly ensureDatabasePasswords: (dataFolder: string) => Passwords;
  };
  readonly 'supervisor/service.mjs': {
    readonly startService: (options: ServiceOptions) => Promise<{ readonly apiUrl: string; readonly firstRunFile: string }>;
  };
  readonly 'supervisor/settings.mjs': { readonly readSettings: (root: string, env: Env) => Settings };
  readonly 'supervisor/process-group.mjs': { readonly createProcessGroup: (output: Output) => ProcessGroup };
};

export const script = <Name extends keyof Scripts>(name: Name): Scripts[Name] =>
  require(join(ROOT, 'scripts', name)) as Scripts[Name];
