/** A staff session, and keys that live only as long as the run. */
import { type Answer, type Request, type Site, Stop } from './site.ts';

export interface Login {
  email: string;
  password: string;
}

interface KeyWish {
  scopes: string[];
  test_mode?: boolean;
  rate_limit?: number;
}

export interface MadeKey {
  id: number;
  key: string;
}

/** Names the keys of a run and revokes them at its end; a Kit. */
interface Run {
  unique(): string;
  cleanUp(what: string, run: () => Promise<void>): void;
}

export class Staff {
  readonly #site: Site;
  readonly #token: string;
  readonly #keys = new Map<string, Promise<MadeKey>>();

  private constructor(site: Site, token: string) {
    this.#site = site;
    this.#token = token;
  }

  static async logIn(site: Site, login: Login): Promise<Staff> {
    const answer = await site.send('POST', '/staff_sessions', { key: null, body: login });
    if (answer.status !== 201) throw new Stop(`the staff login was refused: ${answer.status} ${answer.text}`);
    return new Staff(site, answer.body.token);
  }

  send(method: string, path: string, request: Request = {}): Promise<Answer> {
    return this.#site.send(method, path, { token: this.#token, ...request });
  }

  /** A key for one wish is made once and revoked at the end. */
  key(run: Run, wish: KeyWish): Promise<MadeKey> {
    const name = JSON.stringify(wish);
    const known = this.#keys.get(name) ?? this.newKey(run, wish);
    this.#keys.set(name, known);
    return known;
  }

  async newKey(run: Run, wish: KeyWish): Promise<MadeKey> {
    const body = { api_key: { name: run.unique(), rate_limit: 1_000, ...wish } };
    const answer = await this.send('POST', '/api_keys', { body });
    if (answer.status !== 201) throw new Error(`staff could not make a key: ${answer.status} ${answer.text}`);
    const { id } = answer.body.api_key;
    run.cleanUp(`key ${body.api_key.name}`, () => this.revoke(id));
    return { id, key: answer.body.key };
  }

  async revoke(id: number): Promise<void> {
    const answer = await this.send('DELETE', `/api_keys/${id}`);
    if (answer.status >= 300 && answer.status !== 404) throw new Error(`${answer.status} ${answer.text}`);
  }

  async logOut(): Promise<void> {
    await this.send('DELETE', '/staff_sessions/current');
  }
}
