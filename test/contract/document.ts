import { openapiOf } from '../../api/http/openapi';
import { operations } from '../../api/operations';
import { SNAPSHOTS } from '../../api/snapshots';
import type { Schema } from './schema';

type Content = Readonly<Record<string, { readonly schema: Schema }>>;
export type Described = {
  readonly operationId: string;
  readonly 'x-callers': readonly string[];
  readonly 'x-permission'?: string;
  readonly 'x-further-permissions'?: readonly string[];
  readonly 'x-user-action'?: boolean;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
};
type Delivered = { readonly post: { readonly requestBody: { readonly content: Content } } };

/** Our own document as plain JSON, as a client reads it. */
export const document = JSON.parse(JSON.stringify(openapiOf(operations, SNAPSHOTS, '0.0.0'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly webhooks: Readonly<Record<string, Delivered>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

/** The schema of a JSON body, if the content has a JSON form. */
export const jsonOf = (content: Content | undefined): Schema | undefined => content?.['application/json']?.schema;
