/**
 * The words of immudb's SQL, as its lexer and grammar know them (embedded/sql of v1.11.1). This
 * file is data; look words up in upper case.
 */

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Types of columns and casts, with their aliases. */
const typeNames = words(`
  INTEGER INT INT4 INT8 BIGINT SMALLINT SERIAL BIGSERIAL BOOLEAN VARCHAR TIMESTAMP TIMESTAMPTZ DATE
  FLOAT FLOAT4 FLOAT8 DOUBLE REAL NUMERIC DECIMAL BLOB BYTEA UUID JSON JSONB
`)

/** Aggregates are their own token type, so they cannot name a table without quotes. */
export const aggregateNames = words('COUNT SUM MAX MIN AVG STRING_AGG')

const joinTypes = words('INNER LEFT RIGHT CROSS FULL')

const booleans = words('TRUE FALSE')

/** Keywords that the grammar also accepts as the name of a table or column. */
const unreserved = words(`
  ADMIN OF DROP DATABASE SNAPSHOT INDEX ALTER ADD RENAME CONSTRAINT KEY GRANT REVOKE PRIVILEGES BEGIN
  TRANSACTION COMMIT ROLLBACK INSERT DELETE UPDATE CONFLICT IF SHOW TABLES YEAR MONTH DAY HOUR MINUTE
  SECOND USERS
`)

/** Keywords that the grammar also accepts as the name of a column. */
const columnWords = words(`
  BETWEEN EXISTS EXTRACT VALUES INTEGER INT INT4 INT8 BIGINT SMALLINT SERIAL BIGSERIAL BOOLEAN VARCHAR
  TIMESTAMP TIMESTAMPTZ DATE FLOAT FLOAT4 FLOAT8 DOUBLE REAL NUMERIC DECIMAL BLOB BYTEA JSON JSONB
`)

const reserved = words(`
  CREATE TRUNCATE USE HISTORY DIFF SINCE AFTER BEFORE UNTIL TABLE PRIMARY UNIQUE ON TO COLUMN DO NOTHING
  RETURNING UPSERT INTO VALUES SET SAVEPOINT RELEASE LATERAL SELECT DISTINCT FROM UNION ALL EXCEPT
  INTERSECT NULLS FIRST LAST VIEW OVER PARTITION EXPLAIN RECURSIVE NATURAL USING ILIKE DEFAULT FETCH ROWS
  ONLY FOREIGN REFERENCES CASCADE SEQUENCE TX JOIN HAVING WHERE GROUP BY LIMIT OFFSET ORDER AS ASC DESC
  AND OR NOT LIKE EXISTS BETWEEN IN AUTO_INCREMENT NULL IS CAST DATABASES USER WITH PASSWORD READ
  READWRITE GRANTS FOR CHECK CASE WHEN THEN ELSE END EXTRACT
`)

/** Functions that are called in expressions. */
export const functionNames = words(`
  ABS AGE ASCII CEIL CHAR_LENGTH CHR CLOCK_TIMESTAMP COALESCE CONCAT CONCAT_WS CURRENT_DATABASE
  CURRENT_USER CURRVAL DATE_PART DATE_TRUNC FLOOR GEN_RANDOM_UUID GREATEST INITCAP JSON_TYPEOF LEAST
  LENGTH LOWER LPAD MD5 MOD NEXTVAL NOW NULLIF OCTET_LENGTH POSITION POWER RANDOM RANDOM_UUID
  REGEXP_REPLACE REPEAT REPLACE REVERSE ROUND RPAD SIGN SPLIT_PART SQRT STRPOS SUBSTR SUBSTRING TO_CHAR
  TO_NUMBER TRANSLATE TRIM UPPER
`)

export const typeSet: ReadonlySet<string> = new Set(typeNames)

export const unreservedSet: ReadonlySet<string> = new Set(unreserved)

export const columnWordSet: ReadonlySet<string> = new Set(columnWords)

export const atomSet: ReadonlySet<string> = new Set([...booleans, 'NULL'])

/** Every word that the lexer does not read as an identifier. */
export const keywordSet: ReadonlySet<string> = new Set([
  ...typeNames,
  ...aggregateNames,
  ...joinTypes,
  ...booleans,
  ...unreserved,
  ...reserved,
])

export const longestKeyword = Math.max(...[...keywordSet].map((keyword) => keyword.length))

/** Keywords worth offering while typing: one spelling of each type, no aliases. */
export const offeredKeywords: readonly string[] = [
  ...reserved,
  ...unreserved,
  ...joinTypes,
  ...booleans,
  ...words('INTEGER BOOLEAN VARCHAR TIMESTAMP FLOAT BLOB UUID JSON'),
]
