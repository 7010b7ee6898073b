import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

const ROOT = join(__dirname, '..', '..');
const PACKAGE = join(ROOT, 'node_modules', '@sparticuz', 'chromium');
/** Chromium has no sandbox for root, and only the page itself may send requests. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * The variables that Chromium sets for itself while its threads already read the environment. A new variable makes glibc move the
 * environment, and a thread that reads the environment at that moment crashes in `getenv`. An existing variable keeps its place.
 */
const SET_BY_CHROMIUM = { DBUS_SESSION_BUS_ADDRESS: 'disabled:', FC_FONTATIONS: '1' };

/** Launches real Chromium without a window. On a machine other than Linux x64, the installed Chrome is used instead. */
export function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args: ARGUMENTS });
  const folder = unpacked();
  // The package also brings the libraries that a small system lacks.
  const env = { ...SET_BY_CHROMIUM, LD_LIBRARY_PATH: join(folder, 'lib'), HOME: folder };
  return chromium.launch({ executablePath: join(folder, 'chromium'), args: ARGUMENTS, env });
}

/** Unpacks the browser at the first use, and returns its folder. A parallel test never sees a half-unpacked folder. */
function unpacked(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as { readonly version: string };
  const folder = join(ROOT, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const partial = `${folder}.${process.pid}`;
  mkdirSync(partial, { recursive: true });
  const plain = (name: string) => brotliDecompressSync(readFileSync(join(PACKAGE, 'bin', name)));
  for (const name of ['al2023.tar', 'swiftshader.tar']) {
    writeFileSync(join(partial, name), plain(`${name}.br`));
    execFileSync('tar', ['-xf', name], { cwd: partial });
  }
  writeFileSync(join(partial, 'chromium'), plain('chromium.br'));
  chmodSync(join(partial, 'chromium'), 0o755);
  try {
    renameSync(partial, folder);
  } catch {
    // Another process was faster.
    rmSync(partial, { recursive: true, force: true });
  }
  return folder;
}

export type Authenticator = {
  /** The number of passkeys that the authenticator holds. */
  readonly count: () => Promise<number>;
  readonly forgetAll: () => Promise<void>;
  readonly unplug: () => Promise<void>;
  /** Plugs the authenticator in again, with the same passkeys. */
  readonly plugBack: () => Promise<void>;
};

/**
 * Returns a function that plugs in an authenticator, which verifies the user and agrees. Only one may be plugged in at a time.
 */
export async function virtualAuthenticators(page: Page): Promise<() => Promise<Authenticator>> {
  // The page uses the authenticators of only one session, so all authenticators share this session.
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  return async () => {
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const;
    const plug = async () => (await session.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId;
    let authenticatorId = await plug();
    const held = async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
    let kept: Awaited<ReturnType<typeof held>> = [];
    return {
      count: async () => (await held()).length,
      forgetAll: async () => {
        await session.send('WebAuthn.clearCredentials', { authenticatorId });
      },
      unplug: async () => {
        kept = await held();
        await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
      },
      plugBack: async () => {
        authenticatorId = await plug();
        for (const credential of kept) await session.send('WebAuthn.addCredential', { authenticatorId, credential });
      },
    };
  };
}
