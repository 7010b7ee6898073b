import { ed25519 } from '@noble/curves/ed25519.js';
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  getBase58Decoder,
  type Instruction,
  type Nonce,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLifetimeUsingDurableNonce,
} from '@solana/kit';
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from '@solana-program/compute-budget';
import { getAddMemoInstruction } from '@solana-program/memo';
import {
  getCreateAccountWithSeedInstruction,
  getInitializeNonceAccountInstruction,
  getTransferSolInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system';
import { getCreateAssociatedTokenIdempotentInstruction, getTransferCheckedInstruction } from '@solana-program/token';
import { AppError, invariant } from '../../domain/errors';
import type { UnsignedBytes } from '../types';
import {
  addressOf,
  asAddress,
  associatedTokenAddress,
  isOnCurve,
  MEMO_PROGRAM,
  parseAddress,
  programOf,
  publicKeyOfAddress,
  seedAddress,
} from './addresses';
import { isSolanaTransaction } from './encoding';
import { partialOf, signPartial } from './partially-signed';
import { buildRaw, effectOf, termsOf } from './raw-transaction';
import type { SolanaCodec, SolanaIntent, SolanaNetwork, SolanaNonceAccounts, SolanaTerms } from './types';
import { bytesOf, COMPUTE_UNITS_MAX, hexOf, leastFeeUnits, SIGNATURE_BYTES } from './unsigned';

const U64_MAX = 2n ** 64n - 1n;
const NONCE_ACCOUNT_BYTES = 80n;

function compile(feePayer: string, { lifetime, ...terms }: SolanaTerms, instructions: readonly Instruction[]): UnsignedBytes {
  const { computeUnitLimit: units, microLamportsPerUnit: microLamports } = terms;
  invariant(Number.isSafeInteger(units) && units > 0 && units <= COMPUTE_UNITS_MAX, 'the compute units are a number in range');
  invariant(microLamports >= 0n && microLamports <= U64_MAX, 'the price of a compute unit fits its field');
  const budget = [
    getSetComputeUnitLimitInstruction({ units }),
    ...(microLamports === 0n ? [] : [getSetComputeUnitPriceInstruction({ microLamports })]),
  ];
  const empty = setTransactionMessageFeePayer(asAddress(feePayer), createTransactionMessage({ version: 0 }));
  const message = appendTransactionMessageInstructions([...budget, ...instructions], empty);
  const timed =
    lifetime.kind === 'blockhash'
      ? setTransactionMessageLifetimeUsingBlockhash({ ...lifetime, blockhash: lifetime.blockhash as Blockhash }, message)
      : setTransactionMessageLifetimeUsingDurableNonce(
          {
            nonce: lifetime.value as Nonce,
            nonceAccountAddress: asAddress(lifetime.account),
            nonceAuthorityAddress: asAddress(lifetime.authority),
          },
          message,
        );
  const { messageBytes } = compileTransaction(timed);
  return buildRaw({ family: 'solana', call: { messageHex: hexOf(Uint8Array.from(messageBytes)) }, blockhash: null }, null);
}

function build(network: SolanaNetwork, intent: SolanaIntent, terms: SolanaTerms): UnsignedBytes {
  const { asset, amountUnits, memo, feePayer = intent.from } = intent;
  invariant(intent.network === network.name, 'the intent is for this network');
  invariant(amountUnits >= 0n && amountUnits <= U64_MAX, 'the amount fits its field');
  const [from, to] = [asAddress(intent.from), asAddress(intent.to)];
  const signer = createNoopSigner(from);
  const said = memo === undefined ? [] : [getAddMemoInstruction({ memo }, { programAddress: MEMO_PROGRAM })];
  if (asset.kind === 'Native') {
    invariant(terms.token === undefined, 'SOL is not a token');
    return compile(feePayer, terms, [
      ...said,
      getTransferSolInstruction({ source: signer, destination: to, amount: amountUnits }),
    ]);
  }
  const { token } = terms;
  invariant(token !== undefined && token.program === asset.kind, 'the terms are those of the token');
  const mint = asAddress(asset.contract);
  const config: { programAddress: Address } = { programAddress: programOf(token.program) };
  const destination = asAddress(token.destination);
  const made = token.createsDestination
    ? [
        getCreateAssociatedTokenIdempotentInstruction({
          payer: signer,
          ata: destination,
          owner: to,
          mint,
          tokenProgram: config.programAddress,
        }),
      ]
    : [];
  const moved = getTransferCheckedInstruction(
    { source: asAddress(token.source), mint, destination, authority: signer, amount: amountUnits, decimals: token.decimals },
    config,
  );
  // Token-2022 accepts a required memo only directly before the transfer.
  return compile(feePayer, terms, [...made, ...said, moved]);
}

function buildNonceAccounts(
  { from, authority, accounts, rentUnits }: SolanaNonceAccounts,
  terms: Omit<SolanaTerms, 'token'>,
): UnsignedBytes {
  const payer = createNoopSigner(asAddress(from));
  const instructions = accounts.flatMap(({ seed, address }): Instruction[] => [
    getCreateAccountWithSeedInstruction({
      payer,
      newAccount: asAddress(address),
      base: payer.address,
      seed,
      amount: rentUnits,
      space: NONCE_ACCOUNT_BYTES,
      programAddress: SYSTEM_PROGRAM_ADDRESS,
    }),
    getInitializeNonceAccountInstruction({ nonceAccount: asAddress(address), nonceAuthority: asAddress(authority) }),
  ]);
  return compile(from, terms, instructions);
}

function attach({ bytesHex }: UnsignedBytes, signatureHex: string, from: string) {
  const [message, signature] = [bytesOf(bytesHex), bytesOf(signatureHex)];
  // Validators check just as strictly: no block would include a signature that passes only lenient rules.
  const isGood =
    signature.length === SIGNATURE_BYTES && ed25519.verify(signature, message, publicKeyOfAddress(from), { zip215: false });
  if (!isGood) throw new AppError('EnvelopeMismatch', 'The signature over these bytes is not the sender’s');
  const raw = Buffer.concat([Uint8Array.of(1), signature, message]);
  return { rawHex: hexOf(raw), txHash: getBase58Decoder().decode(signature) };
}

export function createSolanaCodec(network: SolanaNetwork): SolanaCodec {
  return {
    family: 'solana',
    addressOf,
    parseAddress,
    isOnCurve,
    associatedTokenAddress,
    seedAddress,
    build: (intent, terms) => build(network, intent, terms),
    leastFeeUnits,
    buildNonceAccounts,
    termsOf,
    effectOf,
    buildRaw,
    isTransaction: isSolanaTransaction,
    partialOf,
    signPartial,
    attach,
  };
}
