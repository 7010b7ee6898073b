// npm run new:network -- <Name> evm <chain id> <SYMBOL> [mainnet]: adds a network's record and name. The author has to check
// every number of the record.
import { generate } from './tree.mjs';

const USAGE = `Usage: npm run new:network -- <Name> evm <chain id> <SYMBOL> [mainnet]
  <Name> is the network's name in the interface (LineaSepolia); <SYMBOL> is the symbol of its native coin, which has 18 decimals.`;
const NAME = /^[A-Z][a-zA-Z0-9]*$/;
const CHAIN_ID = /^[1-9]\d{0,15}$/;
const SYMBOL = /^[A-Za-z0-9]{1,10}$/;
const RECORDS = 'chains/evm/networks/mainstream.ts';

const grouped = (digits) => (digits.length < 5 ? digits : digits.replaceAll(/\B(?=(\d{3})+$)/g, '_'));

/**
 * The fee ceiling is lower than the fee ceiling of any other network. The service refuses transfers with higher fees, so the
 * author has to replace the ceiling.
 */
const recordOf = ({ name, chainId, symbol, isMainnet }) =>
  `  ${name}: { ${isMainnet ? '...MAIN, ' : ''}chainId: ${grouped(chainId)}, symbol: '${symbol}', milliCeiling: 1 },`;

await generate(
  USAGE,
  (tree, [name = '', family = '', chainId = '', symbol = '', kind, ...rest], refuse) => {
    const isMainnet = kind === 'mainnet';
    if (!NAME.test(name) || family !== 'evm' || !CHAIN_ID.test(chainId) || !SYMBOL.test(symbol)) refuse();
    if (rest.length > 0 || (kind !== undefined && !isMainnet)) refuse();
    if (new RegExp(`'${name}'`).test(tree.read('domain/networks.ts'))) refuse();
    tree.edit('domain/networks.ts', /( {2}evm: \[\n[^\]]*,)(\n {2}\],)/, `$1 '${name}',$2`);
    tree.edit(RECORDS, /\n\}\);\n$/, `\n${recordOf({ name, chainId, symbol, isMainnet })}\n});\n`);
    tree.editJson('test/durable-names.json', (names) => {
      names.networks = [...names.networks, name].sort();
    });
  },
  'Now check every number of the record (ceiling, confirmations, explorer, tokens), then: npm run fix, npm run check, npm test -- test/chains.',
);
