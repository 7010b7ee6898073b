import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The preparation puts the compiled arithmetic here. On a machine without a C compiler, the file does not exist. */
export const NATIVE_FILE = join(__dirname, '../../dist/signer/native/strongroom.node');
export const HAS_NATIVE = existsSync(NATIVE_FILE);

/** The variables with which a test starts a signer. */
export const ARITHMETIC = { SIGNER_ARITHMETIC: HAS_NATIVE ? 'native' : 'portable', SIGNER_NATIVE_FILE: NATIVE_FILE };
