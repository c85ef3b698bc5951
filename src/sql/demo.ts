/** The tables of the demo data, in the order of their creation. */
export const demoTables: readonly string[] = ['stations', 'bicycles', 'rides']

/**
 * An invented bicycle hire. It is small, uses most column types, has empty values and invites a
 * join.
 */
export const demoSql = `BEGIN TRANSACTION;

CREATE TABLE stations (
  id INTEGER,
  name VARCHAR[60] NOT NULL,
  racks INTEGER NOT NULL,
  roofed BOOLEAN NOT NULL,
  opened TIMESTAMP NOT NULL,
  PRIMARY KEY id
);
CREATE UNIQUE INDEX ON stations(name);

CREATE TABLE bicycles (
  frame VARCHAR[12],
  kind VARCHAR[20] NOT NULL,
  weight FLOAT NOT NULL,
  station_id INTEGER,
  parts JSON,
  PRIMARY KEY frame
);
CREATE INDEX ON bicycles(station_id);

CREATE TABLE rides (
  id INTEGER AUTO_INCREMENT,
  frame VARCHAR[12] NOT NULL,
  from_station INTEGER NOT NULL,
  to_station INTEGER,
  started TIMESTAMP NOT NULL,
  minutes INTEGER,
  note VARCHAR[80],
  PRIMARY KEY id
);
CREATE INDEX ON rides(frame);

INSERT INTO stations (id, name, racks, roofed, opened) VALUES
  (1, 'Ferry Landing', 24, true, CAST('2021-04-12 07:00:00' AS TIMESTAMP)),
  (2, 'Old Brewery', 16, false, CAST('2021-04-12 07:00:00' AS TIMESTAMP)),
  (3, 'Botanical Garden', 10, false, CAST('2022-05-03 08:30:00' AS TIMESTAMP)),
  (4, 'University Library', 32, true, CAST('2022-09-19 06:45:00' AS TIMESTAMP)),
  (5, 'Hospital', 12, true, CAST('2024-03-01 05:00:00' AS TIMESTAMP));

INSERT INTO bicycles (frame, kind, weight, station_id, parts) VALUES
  ('RV-0117', 'city', 16.4, 1, '{"gears": 7, "basket": true, "tyres": {"front": 40, "rear": 42}}'),
  ('RV-0118', 'city', 16.6, 1, '{"gears": 7, "basket": false, "tyres": {"front": 40, "rear": 42}}'),
  ('RV-0204', 'cargo', 34.2, 2, '{"gears": 8, "box": {"litres": 180, "cover": true}}'),
  ('RV-0205', 'cargo', 35.0, 4, '{"gears": 8, "box": {"litres": 180, "cover": false}}'),
  ('RV-0301', 'electric', 22.8, 4, '{"gears": 5, "battery": {"wh": 504, "cycles": 212}}'),
  ('RV-0302', 'electric', 22.8, NULL, '{"gears": 5, "battery": {"wh": 504, "cycles": 38}}'),
  ('RV-0401', 'child', 9.7, 3, NULL);

INSERT INTO rides (frame, from_station, to_station, started, minutes, note) VALUES
  ('RV-0117', 1, 4, CAST('2026-06-01 07:42:10' AS TIMESTAMP), 18, NULL),
  ('RV-0301', 4, 1, CAST('2026-06-01 08:05:00' AS TIMESTAMP), 11, ''),
  ('RV-0204', 2, 2, CAST('2026-06-01 09:30:45' AS TIMESTAMP), 95, 'Moving house'),
  ('RV-0118', 1, 3, CAST('2026-06-01 15:12:00' AS TIMESTAMP), 24, NULL),
  ('RV-0401', 3, 3, CAST('2026-06-01 15:13:30' AS TIMESTAMP), 40, 'First ride without help'),
  ('RV-0302', 5, NULL, CAST('2026-06-02 06:58:00' AS TIMESTAMP), NULL, 'Not brought back yet'),
  ('RV-0117', 4, 2, CAST('2026-06-02 17:20:00' AS TIMESTAMP), 21, 'Café "Zur Post" on the way'),
  ('RV-0205', 4, 5, CAST('2026-06-03 10:00:00' AS TIMESTAMP), 33, NULL),
  ('RV-0301', 1, 5, CAST('2026-06-03 10:41:15' AS TIMESTAMP), 14, NULL),
  ('RV-0118', 3, 1, CAST('2026-06-03 18:02:00' AS TIMESTAMP), 26, 'Chain squeaks');

COMMIT;`

/** Rows of all tables together. */
export const demoRows = 22
