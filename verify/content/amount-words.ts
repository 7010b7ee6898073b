import { findNetwork } from '../../chains/networks';
import { inWholeUnits } from '../../domain/amounts';
import { plain } from '../../operator/charters/plain';

/** An asset as the content of an approval names it: `native`, `call`, or the address of a contract or mint. */
type Amount = { readonly network: string; readonly asset: string; readonly units: string };

const inUnits = (units: string, name: string) => `${units} smallest units of ${name}`;

/** Uses decimals only if this program itself knows the decimals, because the service could name false decimals. */
export function amountWords({ network: name, asset, units }: Amount): string {
  const network = findNetwork(name);
  if (asset === 'native' || asset === 'call') {
    if (!network) return inUnits(units, 'the native coin');
    const { symbol, decimals } = network.nativeAsset;
    return `${inWholeUnits(units, decimals)} ${symbol}`;
  }
  const token = network?.tokens.find(({ contract }) => contract.toLowerCase() === asset.toLowerCase());
  if (!token) return inUnits(units, `the token ${plain(asset)} (unknown to this program)`);
  return `${inWholeUnits(units, token.decimals)} ${plain(token.symbol)} (${plain(asset)})`;
}
