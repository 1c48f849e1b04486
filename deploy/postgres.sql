-- Run by the image of Postgres when its volume is empty. The service and the store own their database
-- and nothing else: they are not superusers and cannot create roles or databases.
\getenv password POSTGRES_PASSWORD
create role aisle login nosuperuser nocreatedb nocreaterole noreplication password :'password';
create database aisle owner aisle;
-- A database is open to every role unless it is closed.
revoke connect on database aisle from public;
revoke connect on database postgres from public;
-- Without a password the superuser is reached only from inside the container:
-- docker compose exec postgres psql aisle
alter role postgres password null;
