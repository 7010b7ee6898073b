import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEvmScanSource } from '../../../../chains/evm/scan/scan-source';
import type { EvmNetwork } from '../../../../chains/evm/types';
import { createRpc } from '../../../../chains/rpc/rpc';
import type { ScannedBlock } from '../../../../chains/types';

export type Told = {
  readonly block: { readonly number: string };
  readonly receipts: readonly object[];
  readonly traces?: readonly object[];
};

/** Reads the block through HTTP from one node for each element of `nodes`. A node without traces lacks the trace method. */
export async function scanned(network: EvmNetwork, ...nodes: readonly Told[]): Promise<ScannedBlock> {
  const servers = nodes.map(({ block, receipts, traces }) =>
    createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const results: Readonly<Record<string, unknown>> = {
        eth_getBlockByNumber: block,
        eth_getBlockReceipts: receipts,
        ...(traces ? { debug_traceBlockByNumber: traces, debug_traceBlockByHash: traces } : {}),
      };
      const missing = { error: { code: -32_601, message: 'the method does not exist' } };
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(method in results ? { result: results[method] } : missing) }));
    }),
  );
  try {
    const urls: string[] = [];
    for (const server of servers) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    }
    const over = (some: readonly string[]) => createRpc(network.name, some, { timeoutMs: 10_000 });
    const source = createEvmScanSource(
      network,
      over(urls),
      urls.map((url) => over([url])),
    );
    const block = await source.block(Number(nodes[0]?.block.number));
    if (!block) throw new Error('the source has no such block');
    return block;
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}
