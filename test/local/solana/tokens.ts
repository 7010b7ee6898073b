import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  lamports,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getCreateAccountInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
} from '@solana-program/token';
import { z } from 'zod';

/** Calls a method of the bank, in this process or in another process, and returns the result. */
export type CallBank = (method: string, ...params: unknown[]) => Promise<unknown> | unknown;

export const keyOf = (fill: number) => {
  const secret = new Uint8Array(32).fill(fill);
  const publicKey = ed25519.getPublicKey(secret);
  return { secret, publicKeyHex: Buffer.from(publicKey).toString('hex'), address: address(base58.encode(publicKey)) };
};
export type Key = ReturnType<typeof keyOf>;

const Blockhash = z.object({ value: z.object({ blockhash: z.string() }) });
export const TOKEN_PROGRAM_OF = {
  Spl: address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'),
  Spl2022: address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
};

/** Sends a transaction with these instructions, signed with all keys. The first key pays the fee. */
export async function sendAs(
  call: CallBank,
  keys: readonly [Key, ...Key[]],
  instructions: readonly Instruction[],
  options: { readonly skipPreflight?: boolean } = {},
): Promise<void> {
  const { blockhash: recent } = Blockhash.parse(await call('getLatestBlockhash', { commitment: 'processed' })).value;
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(keys[0].address, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(recent), lastValidBlockHeight: 0n }, one),
    (one) => appendTransactionMessageInstructions(instructions, one),
  );
  const compiled = compileTransaction(message);
  const sign = ({ secret }: Key) => ed25519.sign(Uint8Array.from(compiled.messageBytes), secret) as SignatureBytes;
  const signatures = Object.fromEntries(keys.map((key) => [key.address, sign(key)]));
  const order = { ...compiled.signatures, ...signatures };
  await call('sendTransaction', getBase64EncodedWireTransaction({ ...compiled, signatures: order }), {
    encoding: 'base64',
    ...options,
  });
}

/** The size of a mint's account with each extension, and the instruction that precedes the initialisation of the mint. */
const EXTENSIONS = {
  plain: { bytes: 82, data: undefined },
  /** One hundredth of each transfer stays with the token (`TransferFeeExtension`, no authorities). */
  fee: { bytes: 278, data: Uint8Array.of(26, 0, 0, 0, 100, 0, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0) },
  nonTransferable: { bytes: 170, data: Uint8Array.of(32) },
} as const;

/** Creates a mint with six decimals, and gives the tokens to `owner`. */
export async function makeToken(
  call: CallBank,
  {
    program,
    extension = 'plain',
    mint,
    owner,
    amount,
    further = [],
  }: {
    readonly program: 'Spl' | 'Spl2022';
    readonly extension?: keyof typeof EXTENSIONS;
    readonly mint: Key;
    readonly owner: string;
    readonly amount: bigint;
    /** The owners of further accounts for the token, which stay empty. */
    readonly further?: readonly string[];
  },
): Promise<string> {
  const minter = keyOf(0x77);
  await call('requestAirdrop', minter.address, 1_000_000_000);
  const programAddress = TOKEN_PROGRAM_OF[program];
  const { bytes, data } = EXTENSIONS[extension];
  const rent = z.number().parse(await call('getMinimumBalanceForRentExemption', bytes));
  const payer = createNoopSigner(minter.address);
  const newAccount = createNoopSigner(mint.address);
  await sendAs(
    call,
    [minter, mint],
    [
      getCreateAccountInstruction({ payer, newAccount, lamports: lamports(BigInt(rent)), space: bytes, programAddress }),
      ...(data ? [{ programAddress, accounts: [{ address: mint.address, role: 1 as const }], data }] : []),
      getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: minter.address }, { programAddress }),
    ],
  );
  if (amount === 0n) return mint.address;
  const accountOf = async (one: string) => {
    const seeds = { mint: mint.address, owner: address(one), tokenProgram: programAddress };
    const [ata] = await findAssociatedTokenPda(seeds);
    return { ata, instruction: getCreateAssociatedTokenIdempotentInstruction({ payer, ata, ...seeds }) };
  };
  const held = await accountOf(owner);
  const others = await Promise.all(further.map(accountOf));
  await sendAs(
    call,
    [minter],
    [
      ...[held, ...others].map(({ instruction }) => instruction),
      getMintToInstruction({ mint: mint.address, token: held.ata, mintAuthority: payer, amount }, { programAddress }),
    ],
  );
  return mint.address;
}
