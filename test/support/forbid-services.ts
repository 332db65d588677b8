import { Redis } from "ioredis";
import pg from "pg";

// Set-up file of the project "standalone", whose files run once and not once per kind of database. They may use an embedded
// database, which is reached through a Unix socket, but no server.

const { connect } = pg.Client.prototype;

Object.assign(pg.Client.prototype, {
  connect(this: pg.Client, ...args: unknown[]) {
    if (!this.host.startsWith("/")) throw new Error("a test of the project standalone connected to a database server");
    return Reflect.apply(connect, this, args);
  },
});

Object.assign(Redis.prototype, {
  connect() {
    throw new Error("a test of the project standalone connected to Redis");
  },
});
