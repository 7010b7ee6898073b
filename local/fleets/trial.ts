import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ApiError, type Client, createClient } from '../client';

const User = z.object({ name: z.string(), token: z.string(), credId: z.string(), privateKeyPem: z.string() });
const FirstRun = z.object({ baseUrl: z.string(), orgId: z.string(), users: z.array(User) });

/** The message explains the error. Any other error is printed with its stack. */
export class CeremonyError extends Error {}

export type Trial = { readonly baseUrl: string; readonly orgId: string; readonly courier: Client; readonly reviewer: Client };

/** The running trial with this data folder. Throws `CeremonyError` if it never ran here or does not answer. */
export async function runningTrial(dataFolder: string): Promise<Trial> {
  const file = join(dataFolder, 'first-run.json');
  const start = 'start the service with `npm start -- --with offline` in another shell first.';
  if (!existsSync(file)) throw new CeremonyError(`${file} does not exist: ${start}`);
  const { baseUrl, orgId, users } = FirstRun.parse(JSON.parse(readFileSync(file, 'utf8')));
  const ready = await fetch(`${baseUrl}/health/ready`).catch(() => undefined);
  if (!ready?.ok) throw new CeremonyError(`No service is ready at ${baseUrl}: ${start}`);
  const clientOf = (name: string) => {
    const user = users.find((one) => one.name === name);
    if (!user) throw new CeremonyError(`${file} has no user "${name}".`);
    return createClient(baseUrl, user);
  };
  return { baseUrl, orgId, courier: clientOf('admin'), reviewer: clientOf('approver') };
}

/** Runs the program of a played ceremony, and explains its end. */
export function runCeremonies(main: () => Promise<void>): void {
  main().catch((error: unknown) => {
    if (error instanceof CeremonyError) console.error(`\n${error.message}`);
    else if (error instanceof ApiError)
      console.error(`\nThe service refused: ${error.message} (${error.status} ${error.code})`, error.details ?? '');
    else console.error(error);
    process.exitCode = 1;
  });
}
