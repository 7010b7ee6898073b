import { ed25519 } from '@noble/curves/ed25519.js';
import {
  address,
  appendTransactionMessageInstruction,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  lamports,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getAddMemoInstruction } from '@solana-program/memo';
import { getTransferSolInstruction } from '@solana-program/system';

/** Anyone can read this secret key here, so the account must only hold play money. */
const SECRET = new Uint8Array(32).fill(0x5a);
/** All networks have this version, but the npm package uses a newer version by default. */
const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');

const base58 = getBase58Decoder();

export const FAUCET_ADDRESS = address(base58.decode(ed25519.getPublicKey(SECRET)));
export const FAUCET_LAMPORTS = 400_000_000_000_000_000n;

/** The payment in base64. Payments that would otherwise be the same transaction differ by `note`. */
export function faucetPayment(to: string, amount: bigint, recent: string, note: string): string {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (one) => setTransactionMessageFeePayer(FAUCET_ADDRESS, one),
    (one) => setTransactionMessageLifetimeUsingBlockhash({ blockhash: blockhash(recent), lastValidBlockHeight: 0n }, one),
    (one) =>
      appendTransactionMessageInstructions(
        [
          getTransferSolInstruction({
            source: createNoopSigner(FAUCET_ADDRESS),
            destination: address(to),
            amount: lamports(amount),
          }),
        ],
        one,
      ),
    (one) => appendTransactionMessageInstruction(getAddMemoInstruction({ memo: note }, { programAddress: MEMO_PROGRAM }), one),
  );
  const compiled = compileTransaction(message);
  const signature = Uint8Array.from(ed25519.sign(Uint8Array.from(compiled.messageBytes), SECRET)) as SignatureBytes;
  return getBase64EncodedWireTransaction({ ...compiled, signatures: { [FAUCET_ADDRESS]: signature } });
}
