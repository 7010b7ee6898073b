import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** `scripts/prepare/native.mjs` puts the compiled arithmetic here, unless the machine has no C compiler. */
export const NATIVE_FILE = join(__dirname, '../../dist/signer/native/strongroom.node');
export const HAS_NATIVE = existsSync(NATIVE_FILE);

/** The variables with which a test starts a signer. */
export const ARITHMETIC = { SIGNER_ARITHMETIC: HAS_NATIVE ? 'native' : 'portable', SIGNER_NATIVE_FILE: NATIVE_FILE };
