/** The fee that a token withholds: `basisPoints` of the amount, but at most `maximumUnits`. */
type Taking = { readonly transferFee?: { readonly basisPoints: number; readonly maximumUnits: bigint } };

const BASIS_POINTS = 10_000n;

/** Rounds up in the same way as the token's program (spl-token-2022, `calculate_fee`). */
export function withheldOf({ transferFee }: Taking, amountUnits: bigint): bigint {
  if (!transferFee) return 0n;
  const fee = (amountUnits * BigInt(transferFee.basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;
  return fee < transferFee.maximumUnits ? fee : transferFee.maximumUnits;
}
