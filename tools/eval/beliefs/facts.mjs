// @ts-check
/**
 * What is worth knowing for months, about a service S: each fact in several wordings, and for some of them what became of it. Parts
 * `a` and `b` were at hand while the rules were written; part `c` was written afterwards and changed no rule.
 */

/**
 * @typedef {'denied' | 'number' | 'name' | 'date' | 'word'} Change what tells the new statement from the old one
 * @typedef {{ readonly part: 'a' | 'b' | 'c', readonly said: readonly string[], readonly by?: Change, readonly later?: readonly string[] }} Fact
 */

/** @type {readonly Fact[]} */
export const facts = [
  {
    part: 'a',
    said: [
      'The S service listens on port 5433.',
      'The S service is listening on port 5433.',
      'On port 5433 listens the S service.',
    ],
    by: 'number',
    later: ['The S service listens on port 6100.', 'The S service now listens on port 6100.'],
  },
  {
    part: 'a',
    said: ['Tests of S need a running Docker daemon.', 'A running Docker daemon is needed by the tests of S.'],
    by: 'denied',
    later: [
      'Tests of S do not need a running Docker daemon any more.',
      'Tests of S no longer need a running Docker daemon.',
    ],
  },
  {
    part: 'a',
    said: ['S is owned by Amara.', 'Amara owns S.'],
    by: 'name',
    later: ['S is owned by Dmitri.', 'S is now owned by Dmitri.'],
  },
  {
    part: 'a',
    said: ['Releases of S go out on Tuesday.', 'On Tuesday the releases of S go out.'],
    by: 'date',
    later: ['Releases of S go out on Thursday.', 'Releases of S now go out on Thursday.'],
  },
  {
    part: 'a',
    said: ['The default branch of S is main.', 'Main is the default branch of S.'],
    by: 'word',
    later: ['The default branch of S is develop.', 'The default branch of S is develop now.'],
  },
  {
    part: 'a',
    said: ['S keeps its uploads in the bucket raw-files.', 'The uploads of S are kept in the bucket raw-files.'],
    by: 'name',
    later: ['S keeps its uploads in the bucket cold-files.', 'S now keeps its uploads in the bucket cold-files.'],
  },
  {
    part: 'a',
    said: ['Requests to S time out after 30 seconds.', 'After 30 seconds requests to S time out.'],
    by: 'number',
    later: ['Requests to S time out after 90 seconds.', 'Requests to S time out after 90 seconds instead of 30.'],
  },
  {
    part: 'a',
    said: [
      'The migrations of S have to run before the workers start.',
      'Before the workers start, the migrations of S have to run.',
    ],
  },
  {
    part: 'a',
    said: [
      'Ada prefers small commits with a test in each when S is changed.',
      'When S is changed, Ada prefers small commits with a test in each.',
    ],
  },
  {
    part: 'a',
    said: [
      'S rejects requests without a trace header.',
      'Requests without a trace header are rejected by S.',
      'S rejects any request that has no trace header.',
    ],
  },
  {
    part: 'a',
    said: ['Never restart S during the nightly import.', 'During the nightly import S is never restarted.'],
  },
  {
    part: 'a',
    said: ['The staging copy of S shares its cache with production.', 'Staging S shares its cache with production.'],
    by: 'denied',
    later: [
      'The staging copy of S does not share its cache with production.',
      'The staging copy of S no longer shares its cache with production.',
    ],
  },
  {
    part: 'a',
    said: [
      'The retention of S logs is 14 days.',
      'Logs of S have a retention of 14 days.',
      '14 days is the retention of S logs.',
    ],
    by: 'number',
    later: ['The retention of S logs is 60 days.', 'The retention of S logs is now 60 days.'],
  },
  {
    part: 'a',
    said: [
      'The S schema is generated from the protobuf files.',
      'From the protobuf files the schema of S is generated.',
    ],
    by: 'denied',
    later: [
      'The S schema is not generated from the protobuf files.',
      'The S schema is no longer generated from the protobuf files.',
    ],
  },
  {
    part: 'a',
    said: ['Farid approves the database changes of S.', 'Database changes of S are approved by Farid.'],
    by: 'name',
    later: ['Esther approves the database changes of S.', 'Esther now approves the database changes of S.'],
  },
  {
    part: 'a',
    said: ['The certificate of S is renewed in March.', 'In March the certificate of S is renewed.'],
    by: 'date',
    later: [
      'The certificate of S is renewed in October.',
      'Since the audit the certificate of S is renewed in October.',
    ],
  },
  {
    part: 'a',
    said: ['The package manager of S is yarn.', 'S has yarn as its package manager.'],
    by: 'word',
    later: ['The package manager of S is pnpm.', 'The package manager of S is now pnpm.'],
  },
  {
    part: 'a',
    said: ['S runs in Frankfurt.', 'In Frankfurt S runs.'],
    by: 'name',
    later: ['S runs in Dublin.', 'S runs in Dublin instead of Frankfurt.'],
  },
  {
    part: 'a',
    said: ['S retries a failed webhook 3 times.', 'A failed webhook is retried 3 times by S.'],
    by: 'number',
    later: ['S retries a failed webhook 8 times.', 'S retries a failed webhook 8 times now.'],
  },
  {
    part: 'a',
    said: [
      'Amounts in S are integers of cents.',
      'In S amounts are integers of cents.',
      'S holds amounts as integers of cents.',
    ],
  },
  {
    part: 'a',
    said: ['The lint rules of S forbid default exports.', 'Default exports are forbidden by the lint rules of S.'],
  },
  {
    part: 'a',
    said: [
      'The integration suite of S is flaky when two jobs share a database.',
      'When two jobs share a database, the integration suite of S is flaky.',
    ],
  },
  {
    part: 'a',
    said: ['Call them members in the texts of S, not users.', 'In the texts of S, call them members, not users.'],
  },
  {
    part: 'a',
    said: ['S reads its feature flags at startup only.', 'Only at startup does S read its feature flags.'],
    by: 'denied',
    later: [
      'S does not read its feature flags at startup only.',
      'S does not read its feature flags only at startup any more.',
    ],
  },
  {
    part: 'b',
    said: ['The S job runs at 04:15 UTC every night.', 'Every night at 04:15 UTC the S job runs.'],
    by: 'number',
    later: ['The S job runs at 05:30 UTC every night.', 'The S job runs at 05:30 UTC every night from now on.'],
  },
  {
    part: 'b',
    said: ['Changes to S need two approvals.', 'Two approvals are needed for changes to S.'],
    by: 'number',
    later: ['Changes to S need one approval.', 'Changes to S need only one approval now.'],
  },
  {
    part: 'b',
    said: ['Giulia is the contact for S.', 'The contact for S is Giulia.'],
    by: 'name',
    later: ['Henrik is the contact for S.', 'The contact for S is Henrik, no longer Giulia.'],
  },
  {
    part: 'b',
    said: ['S stores its sessions in Redis.', 'Sessions of S are stored in Redis.'],
    by: 'name',
    later: ['S stores its sessions in Postgres.', 'S moved its sessions from Redis to Postgres.'],
  },
  {
    part: 'b',
    said: ['The freeze of S begins in December.', 'In December the freeze of S begins.'],
    by: 'date',
    later: ['The freeze of S begins in November.', 'The freeze of S now begins in November.'],
  },
  {
    part: 'b',
    said: ['Error messages of S are written in German.', 'S writes its error messages in German.'],
    by: 'name',
    later: ['Error messages of S are written in English.', 'Error messages of S are now written in English.'],
  },
  {
    part: 'b',
    said: ['The log format of S is plain text.', 'S has plain text as its log format.'],
    by: 'word',
    later: ['The log format of S is JSON.', 'The log format of S is now JSON.'],
  },
  {
    part: 'b',
    said: ['Local builds of S need the VPN.', 'The VPN is needed for local builds of S.'],
    by: 'denied',
    later: ["Local builds of S don't need the VPN.", 'Local builds of S no longer need the VPN.'],
  },
  {
    part: 'b',
    said: ['Every query of S must be scoped to one tenant.', 'All queries of S are scoped to one tenant.'],
  },
  {
    part: 'b',
    said: [
      'Snapshots of S are only comparable when both come from the same architecture.',
      'Only when both come from the same architecture are snapshots of S comparable.',
    ],
  },
  {
    part: 'b',
    said: [
      'The dev server of S does not read the .env file by itself.',
      'By itself the dev server of S does not read the .env file.',
    ],
  },
  {
    part: 'b',
    said: [
      'The person who maintains S dislikes long pull requests.',
      'Long pull requests are disliked by the person who maintains S.',
    ],
  },
  {
    part: 'b',
    said: [
      'Bulk inserts into S need the same keys in every row.',
      'Every row of a bulk insert into S needs the same keys.',
    ],
  },
  {
    part: 'c',
    said: [
      'The nightly dump of S lands in the folder cold-store.',
      'In the folder cold-store lands the nightly dump of S.',
    ],
    by: 'name',
    later: [
      'The nightly dump of S lands in the folder deep-store.',
      'The nightly dump of S now lands in the folder deep-store.',
    ],
  },
  {
    part: 'c',
    said: ['S answers at most 50 requests per second.', 'At most 50 requests per second are answered by S.'],
    by: 'number',
    later: [
      'S answers at most 200 requests per second.',
      'S answers at most 200 requests per second since the upgrade.',
    ],
  },
  {
    part: 'c',
    said: ['Lukas reviews every schema change of S.', 'Every schema change of S is reviewed by Lukas.'],
    by: 'name',
    later: ['Nadia reviews every schema change of S.', 'Nadia now reviews every schema change of S.'],
  },
  {
    part: 'c',
    said: ['The sprint of the S team ends on Wednesday.', 'On Wednesday the sprint of the S team ends.'],
    by: 'date',
    later: ['The sprint of the S team ends on Friday.', 'The sprint of the S team ends on Friday from now on.'],
  },
  {
    part: 'c',
    said: [
      'S exposes its metrics to everybody on the network.',
      'The metrics of S are exposed to everybody on the network.',
    ],
    by: 'denied',
    later: [
      'S does not expose its metrics to everybody on the network.',
      'S no longer exposes its metrics to everybody on the network.',
    ],
  },
  {
    part: 'c',
    said: ['The configuration language of S is TOML.', 'TOML is the configuration language of S.'],
    by: 'word',
    later: ['The configuration language of S is YAML.', 'The configuration language of S is YAML now.'],
  },
  {
    part: 'c',
    said: ['A cold start of S takes 40 seconds.', '40 seconds is what a cold start of S takes.'],
    by: 'number',
    later: ['A cold start of S takes 12 seconds.', 'A cold start of S takes only 12 seconds now.'],
  },
  {
    part: 'c',
    said: ['Feature branches of S are deleted after a month.', 'After a month feature branches of S are deleted.'],
  },
  {
    part: 'c',
    said: [
      'Whoever changes S has to update the diagram in the wiki.',
      'The diagram in the wiki has to be updated by whoever changes S.',
    ],
  },
  {
    part: 'c',
    said: [
      'S loses messages when its queue holds more than ten thousand.',
      'When its queue holds more than ten thousand, S loses messages.',
    ],
  },
  {
    part: 'c',
    said: ['Customers of S see prices without tax.', 'Prices without tax are what customers of S see.'],
  },
  {
    part: 'c',
    said: ['The team of S wants answers in bullet points.', 'Answers in bullet points are what the team of S wants.'],
  },
  {
    part: 'c',
    said: ['Flags of S are evaluated on the server.', 'On the server the flags of S are evaluated.'],
  },
]
