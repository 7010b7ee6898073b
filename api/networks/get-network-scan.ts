import { z } from 'zod';
import { scanStatus } from '../../application/networks/scan-status';
import { BLOCK_PROOFS } from '../../domain/movements';
import { operation } from '../http/operation';

const NetworkScan = z
  .object({
    network: z.string(),
    isRead: z.boolean().describe('Whether the service reads every block of the network'),
    whyNot: z.string().optional().describe('Why the service does not read the blocks; absent if it reads them'),
    scan: z
      .object({
        firstBlock: z.int().describe('The first block that was read'),
        scannedTo: z.object({ height: z.int(), hash: z.string() }).describe('The last block whose movements are all recorded'),
        confirmedTo: z.int().describe('Movements up to this block are final'),
        headBlock: z.int().describe('The head of the network when the last block was read'),
        behindBlocks: z
          .int()
          .describe('The number of blocks that were still unread; after an outage, every block is read in order'),
        lastProof: z
          .enum(BLOCK_PROOFS)
          .optional()
          .describe('The proof that nothing was left out of the last block; absent before the first block'),
        blocks: z.int().describe('The number of blocks that were read'),
        withoutRoot: z.int().describe('The number of blocks with a proof weaker than `Root`'),
        withoutTraces: z.int().describe('The number of blocks that were not searched for transfers within contract calls'),
        isComplete: z.boolean().describe('Whether every block from the first block on was read'),
        balances: z
          .object({
            areCompared: z.boolean().describe('Whether balances that nodes state are compared with the movements'),
            whyNot: z.string().optional().describe('Why balances are not compared; absent if they are compared'),
            comparedTo: z.int().optional().describe('The block of the last comparison; absent before the first comparison'),
            differences: z.int().describe('The number of differences on the network that no movement explains'),
          })
          .describe('The comparison of balances with movements, which detects a missing movement'),
      })
      .optional()
      .describe('Absent until the network has a wallet'),
  })
  .meta({ id: 'NetworkScan' });

export const getNetworkScan = operation({
  id: 'getNetworkScan',
  method: 'get',
  path: '/networks/:network/scan',
  tag: 'networks',
  summary: 'Read the progress of reading the blocks of a network',
  description:
    'Returns the progress of reading blocks, on which incoming payments and history depend, and the kind of proof that nothing ' +
    'was left out. The response does not depend on the caller or the organisation. The call returns 404 `NotFound` if the ' +
    'service has no record of the network.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({ network: z.string().min(1).max(64).describe('Name of the network') }),
  query: z.object({}),
  body: z.unknown(),
  response: NetworkScan,
  handle: ({ params: { network } }, { db }) => scanStatus(db, network),
});
