import { z } from 'zod';
import { createFeeSponsor as create } from '../../application/fee-sponsors/fee-sponsors';
import { operation } from '../http/operation';
import { FeeSponsor, FeeSponsorBody } from './schemas';

export const createFeeSponsor = operation({
  id: 'createFeeSponsor',
  method: 'post',
  path: '/fee-sponsors',
  tag: 'fee-sponsors',
  summary: 'Make a wallet pay the fees of other wallets on its network',
  description:
    'Transfers and transactions of other wallets on the same network can name the sponsor as `feeSponsorId`. The wallet ' +
    'must be active (409 `WrongState`), not delegated to an end user, and on a network on which fees can be sponsored: ' +
    'Solana, and EVM networks with EIP-7702; otherwise the request is refused with 400 `InvalidRequest`, and a wallet ' +
    'that only signs is refused with 400 `NetworkNotEnabled`. A wallet that is already a fee sponsor causes 409 ' +
    '`Conflict` until that sponsor is deleted.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'FeeSponsors:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: FeeSponsorBody,
  response: FeeSponsor,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
