import type { AssetKind } from '../../domain/transfers';
import type { EvmNetwork, FeeCurrency } from './types';

export const evmFacts = ({
  chainId,
  lacks,
  hasConfidentialAmounts,
  feeCurrencies,
}: EvmNetwork): {
  readonly chainId: string;
  readonly lacks: readonly AssetKind[];
  readonly feesAlsoIn: readonly FeeCurrency[];
} => ({
  chainId: String(chainId),
  lacks: hasConfidentialAmounts ? lacks : [...lacks, 'Erc7984'],
  feesAlsoIn: feeCurrencies,
});
