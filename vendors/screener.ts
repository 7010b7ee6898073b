import type { NotScreened, Screening, ScreeningQuestion, ScreeningVendor } from '../domain/screenings';
import type { VendorAccess } from './call';

/** What is asked, under an id by which the vendor knows the same question again. */
export type VendorQuestion = { readonly id: string; readonly question: ScreeningQuestion };

type ResultOf<V extends ScreeningVendor> = Exclude<Extract<Screening, { vendor: V }>['result'], { kind: 'VendorFailed' }>;

/**
 * Asks one vendor about one movement, once. `Pending` means that the vendor has not finished: asking again with the same id goes on
 * where it was. Throws `VendorError`.
 */
export type Screener<V extends ScreeningVendor = ScreeningVendor> = {
  /** What the vendor does not screen at all, so that it need not be asked. */
  readonly unsupported: (question: ScreeningQuestion) => Exclude<NotScreened, { kind: 'VendorFailed' }> | undefined;
  readonly screen: (access: VendorAccess, asked: VendorQuestion) => Promise<ResultOf<V> | 'Pending'>;
};
