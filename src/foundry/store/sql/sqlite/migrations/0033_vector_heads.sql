-- The first search of a process reads the means of all lists: from an index, not from a page of each list.
-- SQL does not know the tables' names: conversion.py adds it.
SELECT count(*) FROM vector_indexes;
