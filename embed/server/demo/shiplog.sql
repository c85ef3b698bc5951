-- The log of the Perpetua, an invented research ketch, on a voyage from
-- Tromsø round the Lofoten and back.

CREATE TABLE voyages (
  id INTEGER,
  name VARCHAR[80] NOT NULL,
  left_port TIMESTAMP NOT NULL,
  returned TIMESTAMP,
  PRIMARY KEY id
);

CREATE TABLE crew (
  name VARCHAR[60],
  rank VARCHAR[40] NOT NULL,
  aboard BOOLEAN NOT NULL,
  badge UUID,
  PRIMARY KEY name
);

CREATE TABLE log (
  voyage_id INTEGER,
  entry INTEGER,
  written_at TIMESTAMP NOT NULL,
  latitude FLOAT,
  longitude FLOAT,
  wind_knots INTEGER,
  remark VARCHAR[400],
  PRIMARY KEY (voyage_id, entry)
);
CREATE INDEX ON log(written_at);
CREATE INDEX ON log(wind_knots);

INSERT INTO voyages (id, name, left_port, returned) VALUES
  (1, 'Cod counting', CAST('2026-02-03 07:10:00' AS TIMESTAMP), CAST('2026-02-19 15:45:00' AS TIMESTAMP)),
  (2, 'Kelp and cold water', CAST('2026-03-02 05:55:00' AS TIMESTAMP), NULL);

INSERT INTO crew (name, rank, aboard, badge) VALUES
  ('Solveig Ravn', 'master', true, CAST('6f3f2a10-77a1-4d3e-8c55-a1b2c3d4e501' AS UUID)),
  ('Amadou Keïta', 'engineer', true, CAST('6f3f2a10-77a1-4d3e-8c55-a1b2c3d4e502' AS UUID)),
  ('Ines Palmeira', 'biologist', true, CAST('6f3f2a10-77a1-4d3e-8c55-a1b2c3d4e503' AS UUID)),
  ('Тамара Лунд', 'deckhand', true, NULL),
  ('Joss Whitlock', 'cook', false, NULL);

INSERT INTO log (voyage_id, entry, written_at, latitude, longitude, wind_knots, remark) VALUES
  (1, 1, CAST('2026-02-03 07:10:00' AS TIMESTAMP), 69.6492, 18.9553, 8, 'Cast off. Ice on the lines, engine warm.'),
  (1, 2, CAST('2026-02-03 13:00:00' AS TIMESTAMP), 69.7420, 17.9010, 14, 'Reefed the mizzen.'),
  (1, 3, CAST('2026-02-04 02:30:00' AS TIMESTAMP), 69.2975, 16.1200, 31, 'Gale from north-west; hove to for four hours.'),
  (1, 4, CAST('2026-02-04 11:15:00' AS TIMESTAMP), 68.9100, 15.0200, 22, NULL),
  (1, 5, CAST('2026-02-06 09:00:00' AS TIMESTAMP), 68.2330, 14.5660, 5, 'Svolvær. Water and diesel; Joss bought the wrong coffee.'),
  (1, 6, CAST('2026-02-11 16:20:00' AS TIMESTAMP), 67.9300, 13.0830, 0, 'Flat calm off Reine, count of the day 1,204 cod.'),
  (1, 7, CAST('2026-02-19 15:45:00' AS TIMESTAMP), 69.6492, 18.9553, 11, 'Alongside in Tromsø.');

-- What was written in haste is put right later; the first version stays in the history.

UPDATE log SET remark = 'Gale from north-west, 31 knots measured; hove to for five hours.' WHERE voyage_id = 1 AND entry = 3;

UPDATE log SET wind_knots = 33 WHERE voyage_id = 1 AND entry = 3;

INSERT INTO log (voyage_id, entry, written_at, latitude, longitude, wind_knots, remark) VALUES
  (2, 1, CAST('2026-03-02 05:55:00' AS TIMESTAMP), 69.6492, 18.9553, 6, 'Cast off without the cook.'),
  (2, 2, CAST('2026-03-02 21:40:00' AS TIMESTAMP), 70.0100, 20.4150, 17, 'Northern lights, all hands on deck.'),
  (2, 3, CAST('2026-03-02 21:40:00' AS TIMESTAMP), 70.0100, 20.4150, 17, 'Northern lights, all hands on deck.');

DELETE FROM log WHERE voyage_id = 2 AND entry = 3;

UPDATE crew SET aboard = false WHERE name = 'Joss Whitlock';

ALTER TABLE crew ADD COLUMN cabin INTEGER;

UPDATE crew SET cabin = 2 WHERE name = 'Ines Palmeira';
