import { callFunction } from '../../../application/networks/contract-reads';
import { feesOf } from '../../../application/networks/fees';
import { listNetworks } from '../../../application/networks/networks';
import { createReaders } from '../../../chains/readers';
import { inTier } from '../../support/tiers';

const network = 'EthereumSepolia';
// No node listens at this address, so NetworkUnavailable means that the service tried to reach a node.
const services = { readers: createReaders({ [network]: ['http://127.0.0.1:9'] }) };

const abi = {
  type: 'function' as const,
  name: 'decimals',
  stateMutability: 'view' as const,
  inputs: [],
  outputs: [{ name: '', type: 'uint8' }],
};
const contract = '0x5FbDB2315678afecb367f032d93F642f64180aa3';

test.each([
  ['Fees', 2, () => feesOf(services, network)],
  ['ContractReads', 1, () => callFunction(services, network, { contract, abi })],
] as const)(
  '%s: on networks up to tier %i the node is queried; on networks of later tiers the call fails with NotFound',
  async (part, lowest, ask) => {
    for (const tier of [1, 2, 3] as const) {
      const refused =
        tier <= lowest ? { code: 'NetworkUnavailable' } : { code: 'NotFound', status: 404, details: { network, tier, part } };
      await expect(inTier(network, tier, ask)).rejects.toMatchObject(refused);
    }
  },
);

test.each([
  [1, ['Native', 'Erc20', 'Erc721']],
  [2, ['Native']],
  [3, []],
] as const)('the list shows the transfer kinds of tier %i', async (tier, transferKinds) => {
  const listed = await inTier(network, tier, async () => listNetworks(services).find(({ name }) => name === network));
  expect(listed).toMatchObject({ tier, capabilities: { transferKinds } });
});
