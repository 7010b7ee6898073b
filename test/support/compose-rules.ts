import type { ComposeFile, ComposeService } from './compose';

/** The facts outside the compose file that a rule may use. */
export type Surroundings = {
  /** The targets of the Dockerfile. */
  readonly targets: ReadonlySet<string>;
  readonly exists: (path: string) => boolean;
  /** The variables that the program of one of our services knows. Undefined for a service of another vendor. */
  readonly knownVariables: (service: string) => ReadonlySet<string> | undefined;
};

type Rule = { readonly title: string; readonly check: (file: ComposeFile, around: Surroundings) => string[] };

const services = ({ services: all }: ComposeFile) => Object.entries(all);
const isJob = ({ restart }: ComposeService) => restart.startsWith('on-failure');
/**
 * The services that may see each secret. Only the signer and the operator's commands that restore keys can open a key, and only
 * the worker talks to the signer. The owner role migrates, carries out the operator's commands, and tells a trial whether an
 * organisation exists.
 */
const SECRET_HOLDERS: Readonly<Record<string, readonly string[]>> = {
  'signer-kek': ['signer', 'operator-keys'],
  'signer-auth': ['signer', 'worker'],
  'replica-auth': ['signer', 'replica'],
  'data-kek': ['worker', 'api', 'operator', 'operator-keys'],
  'token-key.pem': ['api', 'first-run'],
  'database-owner-url': ['postgres', 'migrate', 'first-run', 'operator', 'operator-keys'],
  'database-app-url': ['postgres', 'api', 'first-run', 'operator', 'operator-keys'],
  'database-worker-url': ['postgres', 'worker'],
  'database-relay-url': ['postgres', 'worker'],
  'postgres-password': ['postgres'],
  'temporal-database-password': ['postgres', 'temporal-schema', 'temporal'],
};
const PINNED = /^[a-z0-9./-]+:v?\d+\.\d+(\.\d+)?(-[a-z0-9.-]+)?(@sha256:[0-9a-f]{64})?$/;
const DEPRECATED = /auto-setup/;
const LOOPBACK_PORT = /^127\.0\.0\.1:\d+:\d+$/;
const CREDENTIAL = /:\/\/[^/\s]*:[^/\s]*@/;
const SECRET_NAME = /(PASSWORD|PWD|KEK|SECRET|TOKEN_KEY|SIGNER_AUTH|DATABASE_URL)$/;

const perService =
  (check: (service: ComposeService, name: string, file: ComposeFile, around: Surroundings) => string[]) =>
  (file: ComposeFile, around: Surroundings) =>
    services(file).flatMap(([name, service]) => check(service, name, file, around).map((fault) => `${name}: ${fault}`));

const faults = (...pairs: readonly (readonly [boolean, string])[]) =>
  pairs.filter(([isFault]) => isFault).map(([, text]) => text);

export const composeRules: readonly Rule[] = [
  {
    title: 'every image is pinned by version, none is deprecated, and each image that we build has a target',
    check: perService(({ image, build }, _name, _file, { targets }) =>
      faults(
        [!PINNED.test(image), `${image} → a tag with a version`],
        [DEPRECATED.test(image), `${image} gets no new versions`],
        [build !== undefined && !targets.has(build.target), `no target ${build?.target} in the Dockerfile`],
      ),
    ),
  },
  {
    title: 'a container has a read-only file system and resource limits, and has no privileges',
    check: perService((service) =>
      faults(
        [!/^[1-9]\d*:[1-9]\d*$/.test(service.user), `runs as ${service.user || 'root'}`],
        [!service.read_only, 'may write to its image → read_only'],
        [
          service.privileged || service.cap_add.length > 0 || !service.cap_drop.includes('ALL'),
          'has capabilities → cap_drop: [ALL]',
        ],
        [!service.security_opt.includes('no-new-privileges:true'), 'may gain privileges'],
        [service.mem_limit === undefined || service.pids_limit === undefined, 'has no bounds → mem_limit, pids_limit'],
        [service.logging === undefined, 'logs without end → logging'],
      ),
    ),
  },
  {
    title: 'a permanent service has a health check, a grace period and a restart policy; a job has no health check',
    check: perService((service) =>
      isJob(service)
        ? faults([service.healthcheck !== undefined, 'has a health check, although it is a job'])
        : faults(
            [service.restart !== 'unless-stopped', `restart: ${service.restart}`],
            [service.healthcheck === undefined, 'has no healthcheck'],
            [service.healthcheck?.test[0] !== 'CMD', 'its healthcheck needs a shell → [CMD, …]'],
            [service.stop_grace_period === undefined, 'has no stop_grace_period'],
          ),
    ),
  },
  {
    title: 'a service waits until the services that it needs are healthy, and until the jobs that it needs have ended',
    check: perService(({ depends_on }, _name, { services: all }) =>
      Object.entries(depends_on).flatMap(([other, { condition }]) => {
        const needed = all[other];
        if (needed === undefined) return [`waits for ${other}, which is not there`];
        const wanted = isJob(needed) ? 'service_completed_successfully' : 'service_healthy';
        return condition === wanted ? [] : [`waits for ${other}: ${condition} → ${wanted}`];
      }),
    ),
  },
  {
    title: 'every used secret, volume and network is declared, and every declared one is used',
    check: (file, { exists }) => {
      const named = (list: (service: ComposeService) => readonly string[]) =>
        new Set(services(file).flatMap(([, service]) => [...list(service)]));
      const sources = [...named(({ volumes }) => volumes)].map((volume) => volume.split(':')[0] ?? '');
      const compare = (what: string, used: ReadonlySet<string>, declared: readonly string[]) => [
        ...[...used].filter((name) => !declared.includes(name)).map((name) => `${what} ${name} is not declared`),
        ...declared.filter((name) => !used.has(name)).map((name) => `${what} ${name} is not used`),
      ];
      return [
        ...compare(
          'secret',
          named(({ secrets }) => secrets),
          Object.keys(file.secrets),
        ),
        ...compare('volume', new Set(sources.filter((source) => !source.startsWith('.'))), Object.keys(file.volumes)),
        ...compare(
          'network',
          named(({ networks }) => networks),
          Object.keys(file.networks),
        ),
        ...sources.filter((source) => source.startsWith('.') && !exists(source)).map((source) => `${source} does not exist`),
      ];
    },
  },
  {
    title: 'a secret is a file, and only the services that need a secret see it',
    check: perService(({ environment, secrets }, name) => [
      ...secrets
        .filter((secret) => !SECRET_HOLDERS[secret]?.includes(name))
        .map((secret) => `sees ${secret} → only ${SECRET_HOLDERS[secret]?.join(' and ') ?? 'no service'}`),
      ...Object.entries(environment)
        .filter(([variable, value]) => SECRET_NAME.test(variable) || CREDENTIAL.test(value))
        .map(([variable]) => `${variable} holds a secret → ${variable}_FILE`),
      ...Object.values(environment)
        .filter((value) => value.startsWith('/run/secrets/') && !secrets.includes(value.slice('/run/secrets/'.length)))
        .map((value) => `reads ${value}, which is not among its secrets`),
    ]),
  },
  {
    title: 'our services get only variables that their program knows',
    check: perService(({ environment }, name, _file, { knownVariables }) => {
      const known = knownVariables(name);
      return known === undefined
        ? []
        : Object.keys(environment)
            .filter((variable) => !known.has(variable) && !known.has(variable.replace(/_FILE$/, '')))
            .map((variable) => `${variable} is not known to any program`);
    }),
  },
  {
    title: 'a port is published only on loopback',
    check: perService(({ ports }) => ports.filter((port) => !LOOPBACK_PORT.test(port)).map((port) => `${port} → 127.0.0.1:…`)),
  },
  {
    title: 'the signer has no network and cannot run twice; databases and Temporal cannot be reached from outside',
    check: (file, { exists }) => {
      const { signer } = file.services;
      const profile = signer?.security_opt.find((option) => option.startsWith('seccomp:'))?.slice('seccomp:'.length);
      const isOpen = (network: string) => file.networks[network]?.internal !== true;
      return [
        ...faults(
          [signer?.network_mode !== 'none', 'signer: has a network → network_mode: none'],
          [signer?.container_name === undefined, 'signer: can be scaled → container_name'],
          [profile === undefined || !exists(profile), 'signer: makes any system call → seccomp:./deploy/seccomp/signer.json'],
        ),
        ...['postgres', 'temporal'].flatMap((name) =>
          (file.services[name]?.networks ?? []).filter(isOpen).map((network) => `${name}: on ${network}, which leads outside`),
        ),
      ];
    },
  },
];
