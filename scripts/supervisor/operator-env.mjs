import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../prepare/run.mjs';
import { settingsOfRunning } from './data-folder.mjs';
import { databaseUrl } from './database.mjs';
import { chainUrls } from './roles.mjs';

/**
 * An environment with a database and a data key stays unchanged. Otherwise missing variables get the values of the local trial.
 */
export function operatorEnv(root, env) {
  const given = (name) => env[name] || env[`${name}_FILE`];
  if ((given('DATABASE_URL') || given('OWNER_DATABASE_URL')) && given('DATA_KEK')) return env;
  const settings = settingsOfRunning(root, env);
  const secrets = join(settings.dataFolder, 'secrets');
  if (!existsSync(join(secrets, 'data-kek'))) {
    throw new Refusal(
      'Set DATABASE_URL or OWNER_DATABASE_URL and DATA_KEK (or their _FILE forms), or start the local trial with `npm start` first.',
    );
  }
  const file = (name, path) => (given(name) ? {} : { [`${name}_FILE`]: path });
  const { embedded, ports } = settings;
  const temporal = { NODE_ENV: env.NODE_ENV || 'development', TEMPORAL_ADDRESS: `127.0.0.1:${ports.temporal}` };
  return {
    ...databases(settings, secrets),
    NETWORK_RPC_URLS: JSON.stringify(chainUrls(settings)),
    SIGNER_STATE_DIR: join(settings.dataFolder, 'signer'),
    ...env,
    ...(embedded.temporal ? temporal : {}),
    ...file('DATA_KEK', join(secrets, 'data-kek')),
    ...file('SIGNER_KEK', join(secrets, 'signer-kek')),
  };
}

function databases({ embedded, ports }, secrets) {
  if (!embedded.postgres) return {};
  const passwords = JSON.parse(readFileSync(join(secrets, 'database.json'), 'utf8'));
  return {
    DATABASE_URL: databaseUrl('app', passwords, ports.postgres),
    OWNER_DATABASE_URL: databaseUrl('owner', passwords, ports.postgres),
  };
}
