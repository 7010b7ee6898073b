/** Of a token whose mint takes a fee of each transfer: ten-thousandths of the amount, and no more than so many units. */
type Taking = { readonly transferFee?: { readonly basisPoints: number; readonly maximumUnits: bigint } };

const BASIS_POINTS = 10_000n;

/** What a token keeps back of an amount, rounded up as its program does (spl-token-2022, `calculate_fee`). */
export function withheldOf({ transferFee }: Taking, amountUnits: bigint): bigint {
  if (!transferFee) return 0n;
  const fee = (amountUnits * BigInt(transferFee.basisPoints) + BASIS_POINTS - 1n) / BASIS_POINTS;
  return fee < transferFee.maximumUnits ? fee : transferFee.maximumUnits;
}
