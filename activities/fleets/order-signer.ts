import type { KeyStoreKind } from '../../domain/key-stores';
import type { KeyCustody, OfflineCustody } from '../../entities/keys/key-custody';
import { type FamilyOp, type FamilyOrders, SIGN_OPS, type SignerClient, type SignPayloadOrder } from '../../signer/protocol';

type SignOrders = FamilyOrders & { readonly signPayload: SignPayloadOrder };
export type SignOp = keyof SignOrders;

type WithoutRows<Order> = Omit<Order, 'sealed' | 'dek'>;
/** An order as the worker builds it, whatever the store of the key. */
export type OrderOf<Op extends SignOp> = WithoutRows<SignOrders[Op]> & { readonly custody: KeyCustody };

/** Signs with keys of any store. The members are those of the signer's client. */
export type OrderSigner<Ops extends SignOp = FamilyOp> = {
  readonly [Op in Ops]: (order: OrderOf<Op>) => ReturnType<SignerClient[Op]>;
};

export type OfflineOrder = { readonly [Op in SignOp]: { readonly op: Op; readonly order: WithoutRows<SignOrders[Op]> } }[SignOp];
/** Returns the signatures of a device, or throws `AtDevice`. */
export type OfflineSigning = (asked: OfflineOrder, custody: OfflineCustody) => Promise<unknown>;

/** The store of the key decides who signs. An order reaches the signer only with the rows of its key. */
const signing =
  (op: SignOp, ask: (whole: never) => Promise<unknown>, offline: OfflineSigning) =>
  ({ custody, ...order }: { readonly custody: KeyCustody }): Promise<unknown> => {
    const by: { readonly [Kind in KeyStoreKind]: (key: Extract<KeyCustody, { kind: Kind }>) => Promise<unknown> } = {
      Software: ({ sealed, dek }) => ask({ ...order, sealed, dek } as never),
      OfflineSigner: (key) => offline({ op, order } as OfflineOrder, key),
    };
    return by[custody.kind](custody as never);
  };

export const orderSigner = (signer: Pick<SignerClient, FamilyOp>, offline: OfflineSigning): OrderSigner =>
  Object.fromEntries(SIGN_OPS.map((op) => [op, signing(op, (order) => signer[op](order), offline)])) as never;

export const payloadSigner = (
  signer: Pick<SignerClient, 'signPayload'>,
  offline: OfflineSigning,
): OrderSigner<'signPayload'> => ({
  signPayload: signing('signPayload', (order) => signer.signPayload(order), offline) as never,
});
