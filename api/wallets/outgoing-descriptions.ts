import type { TransferForm } from '../../domain/transfers';

/** The descriptions for transfers and for transactions differ only in the name of the request. */
export function outgoingDescriptions(form: TransferForm) {
  const word = form.toLowerCase();
  const replacementEvents =
    'Emits `wallet.transaction.requested`, then `wallet.transaction.broadcasted` and `wallet.transaction.confirmed`, or ' +
    '`wallet.transaction.failed` or `wallet.transaction.rejected`.';
  return {
    get:
      `Returns the ${word} in its current state. The call returns 404 \`NotFound\` if the ${word} does not belong to the wallet ` +
      'or, for an end user, if the wallet is not delegated to this user.',
    explain:
      `Returns the stage of the ${word}, the start of the stage and the decisions that would end the wait, as data and as ` +
      `English sentences. The operation only reads stored records; it returns 404 \`NotFound\` if the ${word} is unknown or ` +
      'belongs to another wallet.',
    abort:
      `Stops a ${word} that the policies have cleared and that is not signed, or that waits as a possible duplicate. The ` +
      `${word} ends as \`Failed\`, and its nonce or coins are free again. If the signer already has the bytes, the call waits up ` +
      `to 10 seconds for the signer's promise never to sign them; without the promise the call returns the ${word} as ` +
      `\`Executing\` with \`details.stage\` \`Aborting\`, and the ${word} ends when the promise arrives. The call returns 409 ` +
      `\`WrongState\` if the ${word} waits for approval (see \`withdrawApproval\`), is signed or has ended. Emits ` +
      `\`wallet.${word}.failed\`.`,
    confirm:
      `States that the ${word} is intended even though it looks like a duplicate of \`details.equalTo\`; the policies then judge ` +
      'it like any other, and the call waits up to 15 seconds until it is `Broadcasted`, is `Pending` with an `approvalId`, or ' +
      `has ended. Without the confirmation the ${word} ends as \`Failed\` at \`details.until\`; repeating the call returns the ` +
      `current state, and the call returns 409 \`WrongState\` if the ${word} does not wait as a possible duplicate. The ` +
      `confirmation does not emit an event; the ${word} emits \`wallet.${word}.broadcasted\`, \`wallet.${word}.failed\` or ` +
      `\`wallet.${word}.rejected\` as it proceeds.`,
    cancel:
      `Records a transaction of the wallet to itself that competes with this ${word} for its nonce or coins, with a higher fee ` +
      'and no other effect, and returns that transaction; only one of the two confirms, and the other ends as `Failed`. ' +
      'Policies judge it like any transaction of the wallet, so it may wait for approval; the call waits up to 15 seconds, and ' +
      `then the workflow \`transfer\` continues. The call returns 409 \`WrongState\` if the ${word} is not built yet, is in a ` +
      'block, has ended without leaving a nonce gap, or is already being replaced, and 400 `NetworkNotEnabled` if the network ' +
      'does not support replacements. ' +
      replacementEvents,
    speedUp:
      `Records a transaction that makes the same payment as the \`Broadcasted\` ${word} for a higher fee, within the ceiling ` +
      `approved for the ${word}, and returns the new transaction; only one of the two confirms. For a PSBT, and on a network ` +
      'whose nodes never replace a transaction, the new transaction spends the change of the first one, with a fee that brings ' +
      'both into a block (`details.paysFor`). While the policies are unchanged, their verdict on the first transaction stays ' +
      'valid; the call waits up to 15 seconds, and then the workflow `transfer` continues. The call returns 409 `WrongState` ' +
      `if the ${word} is not \`Broadcasted\`, is in a block or is already being replaced, and 400 \`NetworkNotEnabled\` if the ` +
      'network allows neither a replacement nor a child transaction. ' +
      replacementEvents,
  } as const;
}
