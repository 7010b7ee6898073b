import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the preparation puts the compiled arithmetic. On a machine without a C compiler there is none. */
export const NATIVE_FILE = join(__dirname, '../../dist/signer/native/strongroom.node');
export const HAS_NATIVE = existsSync(NATIVE_FILE);

/** What a signer of a test is started with. */
export const ARITHMETIC = { SIGNER_ARITHMETIC: HAS_NATIVE ? 'native' : 'portable', SIGNER_NATIVE_FILE: NATIVE_FILE };
