import { type Address, address, getBase58Decoder, type MaybeEncodedAccount } from '@solana/kit';

/** An entry of `preTokenBalances` and `postTokenBalances`. */
export type TokenBalance = {
  readonly accountIndex: number;
  readonly mint: string;
  readonly owner: string;
  readonly programId: string;
  readonly uiTokenAmount: {
    readonly amount: string;
    readonly decimals: number;
    readonly uiAmount: number;
    readonly uiAmountString: string;
  };
};

export const TOKEN_PROGRAMS: readonly string[] = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
export const TOKEN_ACCOUNT_BYTES = 165;
const TYPE_OF_TOKEN_ACCOUNT = 2;
/** Offsets in a token account and in a mint (spl-token, `state.rs`). */
const [OWNER_AT, AMOUNT_AT, STATE_AT, DECIMALS_AT] = [32, 64, 108, 44];
/** The addresses of a lookup table follow its metadata. */
const LOOKUP_ADDRESSES_AT = 56;

const base58 = getBase58Decoder();
type AccountOf = (address: Address) => MaybeEncodedAccount;

export const addressesIn = (table: MaybeEncodedAccount, places: readonly number[]): Address[] =>
  places.map((place) => {
    const at = LOOKUP_ADDRESSES_AT + 32 * place;
    return address(base58.decode(table.exists ? table.data.slice(at, at + 32) : new Uint8Array(32)));
  });

/** The holdings of the accounts that hold tokens. All other accounts are left out. */
export const tokenBalances = (accounts: readonly Address[], accountOf: AccountOf): TokenBalance[] =>
  accounts.flatMap((one, index) => tokenBalance(accountOf(one), index, accountOf) ?? []);

function tokenBalance(account: MaybeEncodedAccount, accountIndex: number, accountOf: AccountOf): TokenBalance | undefined {
  if (!account.exists || !TOKEN_PROGRAMS.includes(account.programAddress)) return undefined;
  const { data, programAddress: programId } = account;
  const isHolding = data.length === TOKEN_ACCOUNT_BYTES || data[TOKEN_ACCOUNT_BYTES] === TYPE_OF_TOKEN_ACCOUNT;
  if (!isHolding || data[STATE_AT] === 0) return undefined;
  const mint = base58.decode(data.slice(0, OWNER_AT));
  const held = accountOf(address(mint));
  const decimals = held.exists ? (held.data[DECIMALS_AT] ?? 0) : 0;
  const units = Buffer.from(data).readBigUInt64LE(AMOUNT_AT);
  const uiAmount = Number(units) / 10 ** decimals;
  return {
    ...{ accountIndex, mint, owner: base58.decode(data.slice(OWNER_AT, AMOUNT_AT)), programId },
    uiTokenAmount: { amount: String(units), decimals, uiAmount, uiAmountString: String(uiAmount) },
  };
}
