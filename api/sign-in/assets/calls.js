/** A refusal by the service, with the service's own message. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {Record<string, unknown>} [details]
   */
  constructor(status, message, details = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/**
 * Does not follow redirects or send cookies, because a bearer token identifies the caller.
 * @param {string} method
 * @param {string} path
 * @param {{ body?: string, form?: FormData, bearer?: string, userAction?: string }} [parts] `body` is the exact text
 * @returns {Promise<any>}
 */
export async function call(method, path, { body, form, bearer, userAction } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (bearer !== undefined) headers['authorization'] = `Bearer ${bearer}`;
  if (userAction !== undefined) headers['x-svc-useraction'] = userAction;
  const response = await fetch(path, {
    method,
    headers,
    credentials: 'omit',
    redirect: 'error',
    ...(body === undefined ? {} : { body }),
    ...(form === undefined ? {} : { body: form }),
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok) return answer;
  const { message = `The service responded with status ${response.status}.`, details } = answer?.error ?? {};
  throw new Refusal(response.status, message, details);
}
