import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { HoldGroup } from '../domain/judgements';

/** The attributes that a workflow sets by itself. */
export const ORG_ID = defineSearchAttributeKey('OrgId', SearchAttributeType.KEYWORD);
export const STAGE = defineSearchAttributeKey('Stage', SearchAttributeType.KEYWORD);
export const APPROVAL_GROUP = defineSearchAttributeKey('ApprovalGroup', SearchAttributeType.KEYWORD_LIST);
export const KEY_STORE_ID = defineSearchAttributeKey('KeyStoreId', SearchAttributeType.KEYWORD);
export const FLEET_KIND = defineSearchAttributeKey('FleetKind', SearchAttributeType.KEYWORD);
export const DEADLINE = defineSearchAttributeKey('Deadline', SearchAttributeType.DATETIME);

/**
 * Ids of the groups whose quorum is not met yet. Names are left out, because people choose the names and the search stores
 * values unencrypted.
 */
export const openGroups = (groups: readonly HoldGroup[]): string[] =>
  groups.flatMap(({ groupId, quorum, have }) => (groupId === undefined || have >= quorum ? [] : [groupId]));
